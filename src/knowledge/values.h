// Which values can memory hold at all, whatever the schedule? Every value that a known store could put there. Where a
// thread knows what it does after each of them, no search can find a result of it that is not known: it is *saturated*.
#pragma once
#include "knowledge/layout.h"

namespace plait {

/// Threads all of whose operations have known results only.
ThreadSet saturated_threads(const Behaviour& knowledge, const Layout& layout);

}  // namespace plait

// Of a thread that waits for a signal for ever: which one it has missed.
#pragma once
#include <string>

#include "report/bug.h"

namespace plait {

/// A sentence, or nothing: "the last signal on ready came at event.h:10 (T1, step 5), before main began to wait (step
/// 6): nobody waited then". `pending` is the index of what the thread is blocked in.
std::string missed_signal(const Bug&, size_t pending);

}  // namespace plait

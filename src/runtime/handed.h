// Memory that libraries change unseen: see handed.cc.
#pragma once

namespace plait::runtime {

/// Has other threads' memory been handed to a library in this run? (It may have turned out later that it is theirs,
/// too.)
bool has_shared_handed();
/// A new run begins.
void reset_handed();

}  // namespace plait::runtime

// Memory that libraries change unseen: see handed.cc.
#pragma once

#include "trace/types.h"

namespace plait::runtime {

/// In std::cin, cout, cerr or clog, wherever the linker has put them?
bool is_standard_stream(u64 address);

/// Has other threads' memory been handed to a library in this run? (It may have turned out later that it is theirs,
/// too.)
bool has_shared_handed();
/// A new run begins.
void reset_handed();

}  // namespace plait::runtime

// plait replay --gdb, --rr: the program under another program, with its request already waiting in the channel.
#pragma once
#include "host/worker.h"

namespace plait {

/// Replaces this process by gdb. `worker` holds the posted batch; `bug_file` tells the gdb commands (src/gdb/plait.py) what
/// the events are. Throws Error when there is no gdb.
[[noreturn]] void exec_debugger(const Program&, const SessionMemory&, const Worker& worker, const std::string& bug_file);

/// Replaces this process by `rr record`. Throws Error when there is no rr.
[[noreturn]] void exec_recorder(const Program&, const SessionMemory&, const Worker& worker);

}  // namespace plait

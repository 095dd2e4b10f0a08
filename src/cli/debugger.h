// plait replay --gdb, --rr: the program under another program, with its request already waiting in the channel.
#pragma once
#include "host/worker.h"

namespace plait {

/// Replaces this process by gdb. `worker` holds the posted batch; `bug_file` tells the gdb commands (src/gdb/plait.py)
/// what the events are. Throws Error when there is no gdb.
[[noreturn]] void exec_debugger(const Program&, const SessionMemory&, const Worker& worker,
                                const std::string& bug_file);

/// Lets `rr record` run the posted batch and returns when the recording is complete. Throws Error when there is no rr,
/// or when it cannot record here.
void record_with_rr(const Program&, const SessionMemory&, const Worker& worker);

}  // namespace plait

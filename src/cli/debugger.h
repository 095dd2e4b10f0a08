// plait replay --gdb: the program as gdb's inferior, with its request already waiting in the channel.
#pragma once
#include "host/worker.h"

namespace plait {

/// Replaces this process by gdb. `worker` holds the posted batch. Throws Error when there is no gdb.
[[noreturn]] void exec_debugger(const Program&, const SessionMemory&, const Worker& worker);

}  // namespace plait

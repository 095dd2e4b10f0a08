// What the program prints: captured per run in memory, or passed through when a run is replayed.
#pragma once
#include "trace/types.h"

namespace plait::runtime {

inline constexpr u32 kOutputLimit = 64 * 1024;  // per run; the rest is dropped and the text says so

/// Before the program's constructors: stdout and stderr become streams into our buffer.
void redirect_output();
/// End of a run: what is still in the streams' buffers goes to ours.
void finish_output();
/// Moves this run's standard output to `to`; returns its size.
u32 take_output(char* to, u32 capacity);

}  // namespace plait::runtime

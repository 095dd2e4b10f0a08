// The outside world as inputs (--symbolic-args, --symbolic-stdin, --symbolic-env): free bytes in the places of
// arguments, environment variables and standard input. A run takes all of them before main is called. libc reads them
// as it reads any file; what it hands on gets its label here, by its position.
#pragma once
#include "trace/types.h"

namespace plait::runtime {

/// Which of them are free: the engine's variable says so. Before the first run.
void find_outside_inputs(char** environment);
/// In the run, in front of main.
void take_outside_inputs();

/// Is nothing given but what is free?
bool are_arguments_free();
bool is_free_variable(const char* name);
/// Is this descriptor free standard input?
bool is_free_input(int fd);

/// Where standard input stands: as the program sees it, which may be behind what libc has read.
u64 input_position();
/// The label of the byte there. 0: none, or it is not this one.
u64 input_label(u64 position, u8 value);
/// Bytes from `position` on have been read there.
void store_free_input(u64 to, const char* from, u64 size, u64 position, u32 site);
/// Likewise a line: where it ends is decided by its characters.
void follow_line(u64 to, const char* from, u64 size, u64 position, u8 end, u32 site);
/// The value of this byte is needed.
void fix_free_input(u64 position, u32 site);
/// What functions that nobody follows have read so far gets its values. At the end of a run, and in front of a seek.
void settle_free_input();

/// A function of the runtime returns a value with this label: code that follows inputs and has called it takes that.
/// For others the value is fixed.
void hand_label(const void* function, u64 label, u32 site);

struct InputByte {
  u8 value;
  u64 label;
};
InputByte take_input_byte(const char* name);  // interpose_verifier.cc

}  // namespace plait::runtime

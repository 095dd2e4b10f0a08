// The ghosts of files: see interpose_input.cc.
#pragma once
#include "runtime/ghost.h"

namespace plait::runtime {

/// `what` is done with a descriptor, or with the stream that has it, and what that does depends on the contents of its
/// file. Returns what the descriptor has become, for expect_descriptor() after more has been looked at.
u64 use_descriptor(int fd, u64 what);
/// Likewise where something is written to the file.
u64 write_through(int fd, u64 what, const void* data, u64 size);
/// The file is read or written at a place that the call names: its position does not matter.
void read_in_place(int fd);
void write_in_place(int fd, u64 what);
void expect_descriptor(int fd, u64 left);
/// Right after the number was taken.
void note_new_descriptor(int fd);
/// The number is about to be closed; until it is, nobody may use it.
struct Closing {
  u32 word;
  u64 uses;
};
Closing begin_closing(int fd);
void end_closing(int fd, const Closing& begun);
/// The descriptor that this one is a copy of: they have one position.
int first_descriptor(int fd);
/// Which of the words Ghost::Files stands for the contents of what is open there.
u32 contents_of_descriptor(int fd);

}  // namespace plait::runtime

// The ghosts of files: see interpose_input.cc.
#pragma once
#include "runtime/ghost.h"

namespace plait::runtime {

/// The contents of the file that `fd` is open on.
void look_at_file(int fd);
/// Something is written to it.
void change_file(int fd, const void* data, u64 size);
/// `what` is done with a descriptor, or with the stream that has it. After the file.
/// Returns what it has become, for expect_descriptor() after more has been looked at.
u64 change_descriptor(int fd, u64 what);
void expect_descriptor(int fd, u64 left);
/// Right after the number was taken.
void note_new_descriptor(int fd);
/// The descriptor that this one is a copy of: they have one position.
int first_descriptor(int fd);
/// Which of the words Ghost::Files stands for the contents of what is open there.
u32 contents_of_descriptor(int fd);

}  // namespace plait::runtime

// The ghosts of files: see interpose_input.cc.
#pragma once
#include "runtime/ghost.h"

namespace plait::runtime {

void look_at_files();
/// Something is written to some file.
void change_files(const void* data, u64 size);
/// `what` is done with a descriptor, or with the stream that has it.
/// Returns what it has become, for expect_descriptor() after more has been looked at.
u64 change_descriptor(int fd, u64 what);
void expect_descriptor(int fd, u64 left);
/// Right after the number was taken.
void note_new_descriptor(int fd);
/// The descriptor that this one is a copy of: they have one position.
int first_descriptor(int fd);

}  // namespace plait::runtime

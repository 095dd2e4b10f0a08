// The ghosts of files: see interpose_input.cc.
#pragma once
#include "runtime/ghost.h"

namespace plait::runtime {

void look_at_files();
/// Something is written to some file.
void change_files(const void* data, u64 size);
/// `what` is done with a descriptor, or with the stream that has it.
void change_descriptor(int fd, u64 what);

}  // namespace plait::runtime

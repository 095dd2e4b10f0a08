// The section "plait_depends" of a program's file.
#pragma once
#include <string>
#include <vector>

#include "trace/types.h"

namespace plait::depend {

/// What one unit says, and where its sites begin in the program's table.
struct Block {
  u32 first_row;
  std::string bytes;
};

/// All units of the executable; none if its file is not what we know.
std::vector<Block> read_blocks(const std::string& program);

}  // namespace plait::depend

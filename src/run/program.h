// The program under test as the user named it: what to execute, with which arguments and input.
#pragma once
#include <string>
#include <vector>

namespace plait {

struct Program {
  std::string path;
  std::vector<std::string> arguments;
  std::string input_path;  // file that is its standard input; empty: /dev/null
};

}  // namespace plait

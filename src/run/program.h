// The program under test as the user named it: what to execute, with which arguments and input.
#pragma once
#include <memory>
#include <string>
#include <vector>

namespace plait {

class ProgramFile;  // host/program.h

struct Program {
  std::string path;
  std::vector<std::string> arguments;
  std::string input_path;                             // file that is its standard input; empty: /dev/null
  std::shared_ptr<const ProgramFile> file = nullptr;  // keeps it when the path names something else; may be null
};

}  // namespace plait

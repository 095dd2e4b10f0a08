// The program under test as the user named it: what to execute, with which arguments and input.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace plait {

class ProgramFile;  // host/program.h

/// What of the outside world is an input (--symbolic-args and the like): how many bytes are free.
struct OutsideInputs {
  std::vector<unsigned> arguments;  // behind the program's other ones
  unsigned standard_input = 0;
  std::vector<std::pair<std::string, unsigned>> environment;
  bool any() const { return !arguments.empty() || standard_input || !environment.empty(); }
};

struct Program {
  std::string path;
  std::vector<std::string> arguments;
  std::string input_path;                             // file that is its standard input; empty: /dev/null
  std::shared_ptr<const ProgramFile> file = nullptr;  // keeps it when the path names something else; may be null
  using Environment = std::vector<std::pair<std::string, std::string>>;
  std::shared_ptr<const Environment> environment = nullptr;  // null: that of this process
  OutsideInputs outside = {};
};

}  // namespace plait

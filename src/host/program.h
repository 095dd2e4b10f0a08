// The file of the program under test: is it instrumented, which one is it, what does it read?
#pragma once
#include <sys/stat.h>

#include <string>

#include "base/memory.h"
#include "host/process.h"
#include "run/program.h"

namespace plait {

/// Throws Error (usage) with what to do when `path` is missing, not executable, or not compiled by this version's
/// wrapper.
void require_instrumented(const std::string& path);

/// Was some of it compiled so that inputs can be explored (docs/inputs.md)?
bool follows_inputs(const std::string& path);
/// Does it take some?
bool takes_inputs(const std::string& path);

/// A hash of the file's content, in hexadecimal: equal files are equal programs. Empty if it cannot be read.
std::string program_identity(const std::string& path);

/// The file of a program as it is when a check begins. While that goes on, the program itself or somebody else may
/// remove it, or put another one in its place.
class ProgramFile {
 public:
  explicit ProgramFile(const std::string& path);
  /// What to execute in place of the path; -1: the path is as good. Throws Error when the file itself has changed.
  int instead_of(const std::string& path) const;

 private:
  Descriptor file_;
  struct stat then_{};
};

/// To execute it, with its arguments.
Launch program_launch(const Program&);

/// The program's standard input, with an offset of its own. Throws Error when the file cannot be read.
Descriptor open_input(const Program&);

/// Where the standard input of this command comes from if it is a plain file (`plait check prog < file`), else empty.
std::string redirected_input();

}  // namespace plait

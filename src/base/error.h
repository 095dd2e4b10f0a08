// Errors that end the command: a one-line message that says what to do, and the exit code (docs/usage.md).
#pragma once
#include <stdexcept>
#include <string>

namespace plait {

enum ExitCode : int {
  kExitSafe = 0,
  kExitUsage = 2,
  kExitInconclusive = 5,
  kExitBug = 10,
  kExitInternal = 70,
  kExitInterrupted = 130,
};

class Error : public std::runtime_error {
 public:
  Error(int exit_code, const std::string& message) : std::runtime_error(message), exit_code_(exit_code) {}
  int exit_code() const { return exit_code_; }

 private:
  int exit_code_;
};

/// What was asked for could not even begin: what was found out before does not count.
struct NotBegun : Error {
  using Error::Error;
};
inline bool has_begun(const Error& error) { return !dynamic_cast<const NotBegun*>(&error); }

}  // namespace plait

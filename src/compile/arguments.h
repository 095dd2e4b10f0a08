// What a clang command line asks for, as far as the wrapper must know: inputs, their languages, the last phase.
#pragma once
#include <string>
#include <vector>

namespace plait {

enum class Phase { Nothing, Preprocess, SyntaxOnly, Compile, Link };

/// An option of the wrapper: values of inputs are followed through this unit, too.
inline constexpr const char* kFollowInputs = "-fplait-inputs";

struct Arguments {
  std::vector<std::string> all;  // @files expanded
  Phase last = Phase::Link;      // Nothing: there is no input (--version, -print-...), so clang only answers
  bool has_source = false;       // something that goes through the optimiser: C, C++, LLVM IR, standard input
  bool has_input = false;
  bool has_link_input = false;  // anything but headers
  bool optimisation = false;    // some -O
  bool follow_inputs = false;   // kFollowInputs
  bool shared = false;          // -shared, -r: the runtime comes with the executable
  bool no_undefined = false;    // -z defs
  bool links_runtime = false;   // it is there already
  bool cxx_library = false;     // -lstdc++ by hand: `plait cc` linking C++ objects
  std::string output;           // of -o; empty: the compiler's choice
};

/// Throws std::runtime_error, one line, for an unreadable @file.
Arguments parse_arguments(const std::vector<std::string>& args, const std::string& runtime);

/// Words of a response file: white space separates, quotes group, a backslash takes the next character.
std::vector<std::string> split_response(const std::string& text);

}  // namespace plait

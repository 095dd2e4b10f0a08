// Compiles snippets with the plugin and looks at what comes out.
#pragma once
#include <string>
#include <vector>

namespace plait::test {

struct Output {
  int status = 0;
  std::string text;
};

/// Runs a command line; standard output and error together.
Output run(const std::vector<std::string>& command);

/// A directory of its own for each test process, removed at its end.
const std::string& scratch_directory();
std::string write_file(const std::string& name, const std::string& text);

/// Flags that the wrapper adds, plugin included.
std::vector<std::string> plait_flags();

/// LLVM IR of a source after the whole pipeline.
struct Ir {
  std::string text;
  /// The body of a function by its symbol; fails the test when there is none.
  std::string function(const std::string& symbol) const;
  /// Texts in the site table.
  bool has_text(const std::string& text) const;
  /// The line that defines a global, or "".
  std::string global(const std::string& symbol) const;
};
enum class Lang { C, Cxx };
Ir compile(Lang lang, const std::string& source, std::vector<std::string> flags = {});

size_t count(const std::string& in, const std::string& what);
/// Mentions of the runtime, but for the marks of calls that may keep state.
size_t hooks(const std::string& body);

}  // namespace plait::test

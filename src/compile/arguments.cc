#include "compile/arguments.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include "compile/compile.h"

namespace plait {

namespace {

using std::string_view;

// Options whose value is the next word: it must not be taken for an input.
// clang-format off
constexpr auto kWithValue = std::to_array<string_view>({
    "-o", "-x", "-I", "-L", "-D", "-U", "-l", "-F", "-A", "-B", "-G", "-T", "-e", "-u", "-z", "-V", "-b", "-include",
    "-isystem", "-iquote", "-idirafter", "-imacros", "-iprefix", "-iwithprefix", "-iwithprefixbefore", "-isysroot",
    "-iframework", "-ivfsoverlay", "-include-pch", "-imultilib", "-cxx-isystem", "-c-isystem", "-stdlib++-isystem",
    "-MF", "-MT", "-MQ", "-MJ", "-Xclang", "-Xlinker", "-Xassembler", "-Xpreprocessor", "-Xanalyzer",
    "-Xopenmp-target", "-mllvm", "-target", "--target", "-arch", "-framework", "--param", "--sysroot",
    "-working-directory", "-resource-dir", "-rpath", "-Tbss", "-Tdata", "-Ttext", "-soname", "-dumpdir", "-wrapper",
    "-install_name", "--serialize-diagnostics", "-index-store-path", "-fdebug-compilation-dir", "-gcc-toolchain",
    "--include", "--define-macro", "--undefine-macro", "--include-directory", "--library-directory", "--output",
    "--language", "-specs"
});
// clang-format on

constexpr auto kCSources = std::to_array<string_view>({".c", ".i"});
constexpr auto kCxxSources =
    std::to_array<string_view>({".cc", ".cp", ".cxx", ".cpp", ".CPP", ".CXX", ".c++", ".C++", ".C", ".CC", ".ii",
                                ".cppm", ".ccm", ".cxxm", ".c++m", ".ixx"});
constexpr auto kOtherSources = std::to_array<string_view>({".bc", ".ll", ".m", ".mm", ".mi", ".mii", ".M"});
// Given as inputs they are precompiled, which must see the same macros.
constexpr auto kHeaders =
    std::to_array<string_view>({".h", ".hh", ".hp", ".hpp", ".hxx", ".h++", ".H", ".HPP", ".HXX", ".tcc"});

template <size_t N>
bool has_extension(string_view file, const std::array<string_view, N>& extensions) {
  const size_t dot = file.rfind('.');
  if (dot == string_view::npos || file.find('/', dot) != string_view::npos) return false;
  return std::ranges::find(extensions, file.substr(dot)) != extensions.end();
}

void expand(const std::vector<std::string>& args, std::vector<std::string>& into, int depth) {
  for (const std::string& arg : args) {
    if (arg.size() < 2 || arg[0] != '@') {
      into.push_back(arg);
      continue;
    }
    std::ifstream file(arg.substr(1), std::ios::binary);
    // clang takes the word literally when there is no such file; so the error message is clang's.
    if (!file) {
      into.push_back(arg);
      continue;
    }
    if (depth > 32) throw std::runtime_error("the response file " + arg.substr(1) + " includes itself");
    const std::string text(std::istreambuf_iterator<char>(file), {});
    if (file.bad()) throw std::runtime_error("cannot read the response file " + arg.substr(1));
    expand(split_response(text), into, depth + 1);
  }
}

/// The phase that an option stops after, or Link.
Phase phase_of(string_view option) {
  if (option == "-E" || option == "-M" || option == "-MM" || option == "--preprocess") return Phase::Preprocess;
  if (option == "-fsyntax-only" || option == "--analyze" || option == "--precompile") return Phase::SyntaxOnly;
  if (option == "-c" || option == "-S" || option == "--compile" || option == "--assemble" || option == "-emit-ast")
    return Phase::Compile;
  return Phase::Link;
}

void add_input(Arguments& result, string_view file, string_view language) {
  const bool by_extension = language.empty() || language == "none";
  const bool header = by_extension ? has_extension(file, kHeaders) : language.ends_with("-header");
  result.has_input = true;
  result.has_link_input |= !header;
  if (by_extension)
    result.has_source |= header || file == "-" || has_extension(file, kCSources) || has_extension(file, kCxxSources) ||
                         has_extension(file, kOtherSources);
  else
    result.has_source |= !language.starts_with("assembler");
}

void check_supported(string_view option) {
  if (option == "-m32" || option == "-mx32")
    throw std::runtime_error(std::string(option) + " is not supported: Plait runs 64-bit programs only");
  if (!option.starts_with("-fsanitize=")) return;
  for (string_view name : {"thread", "address", "memory", "hwaddress", "leak"})
    if (option.find(name, strlen("-fsanitize=")) != string_view::npos)
      throw std::runtime_error(std::string(option) + " cannot be combined with Plait: compile without it");
}

}  // namespace

bool is_c_source(const std::string& file) { return has_extension(file, kCSources); }
bool is_cxx_source(const std::string& file) { return has_extension(file, kCxxSources); }

std::vector<std::string> split_response(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size() && quote != '\'') {
      word += text[++i];
      in_word = true;
    } else if (quote) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
      if (in_word) words.push_back(word);
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(word);
  return words;
}

Arguments parse_arguments(const std::vector<std::string>& args, const std::string& runtime) {
  Arguments result;
  expand(args, result.all, 0);
  std::string language;
  bool only_inputs = false;  // after --
  for (size_t i = 0; i < result.all.size(); ++i) {
    const string_view arg = result.all[i];
    if (only_inputs || arg == "-" || !arg.starts_with('-')) {
      result.links_runtime |= arg == runtime;
      if (!arg.empty()) add_input(result, arg, language);
      continue;
    }
    check_supported(arg);
    if (arg == "--") only_inputs = true;
    if (arg == "-shared" || arg == "--shared" || arg == "-r") result.shared = true;
    if (arg.starts_with("-O") || arg == "--optimize" || arg.starts_with("--optimize=")) result.optimisation = true;
    if (arg.find("no-undefined") != string_view::npos || arg == "-Wl,-z,defs") result.no_undefined = true;
    if (arg == "-lstdc++") result.cxx_library = true;
    if (arg == kFollowInputs) result.follow_inputs = true;
    // A library is an input: `plait c++ -lfoo` alone links.
    if (arg.starts_with("-l")) result.has_input = result.has_link_input = true;
    result.last = std::min(result.last, phase_of(arg));
    if (arg.starts_with("-x") && arg.size() > 2) language = arg.substr(2);
    if (arg.starts_with("--language=")) language = arg.substr(strlen("--language="));
    if (arg.starts_with("--output=")) result.output = arg.substr(strlen("--output="));
    if (arg.starts_with("-o") && arg.size() > 2) result.output = arg.substr(2);
    const bool with_value = std::ranges::find(kWithValue, arg) != kWithValue.end() || arg.starts_with("-Xarch_") ||
                            arg.starts_with("-Xopenmp-target=");
    if (!with_value || i + 1 == result.all.size()) continue;
    ++i;
    if (arg == "-x" || arg == "--language") language = result.all[i];
    if (arg == "-o" || arg == "--output") result.output = result.all[i];
    if (arg == "-z" && result.all[i] == "defs") result.no_undefined = true;
  }
  if (!result.has_link_input) result.last = std::min(result.last, Phase::Compile);
  if (!result.has_input) result.last = Phase::Nothing;
  return result;
}

}  // namespace plait

#include "compile/harmless.h"

#include <algorithm>
#include <string_view>

namespace plait {
namespace {

constexpr std::string_view kWhole[] = {"-ansi",
                                       "-fPIC",
                                       "-fPIE",
                                       "-fcommon",
                                       "-fexceptions",
                                       "-ffast-math",
                                       "-fms-extensions",
                                       "-fomit-frame-pointer",
                                       "-fpermissive",
                                       "-fpic",
                                       "-fpie",
                                       "-fplait-inputs",
                                       "-frtti",
                                       "-fsigned-char",
                                       "-fstrict-aliasing",
                                       "-funroll-loops",
                                       "-funsigned-char",
                                       "-fwrapv",
                                       "-nostdinc++",
                                       "-pedantic",
                                       "-pedantic-errors",
                                       "-pipe",
                                       "-pthread",
                                       "-static-libstdc++",
                                       "-w"};
constexpr std::string_view kBeginnings[] = {"-O",    "-D",     "-U",       "-I",      "-L",      "-l",
                                            "-std=", "--std=", "-stdlib=", "-march=", "-mtune=", "-mcpu=",
                                            "-msse", "-mavx",  "-mno-",    "-m64",    "-fno-"};
// The next word is a part of them: a directory or file to be read, or the name of a macro.
constexpr std::string_view kWithWord[] = {"-D", "-U", "-I", "-L", "-isystem", "-iquote", "-idirafter", "-include"};

template <class List>
bool contains(const List& list, std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

bool is_harmless(std::string_view flag) {
  if (contains(kWhole, flag)) return true;
  if (flag.starts_with("-g") && flag.find('=') == std::string_view::npos) return true;
  // -Wl, -Wa and -Wp hand words on.
  if (flag.starts_with("-W")) return flag.find(',') == std::string_view::npos;
  return std::any_of(std::begin(kBeginnings), std::end(kBeginnings), [&](std::string_view beginning) {
    return flag.starts_with(beginning) && (flag != beginning || flag == "-O" || flag == "-m64");
  });
}

}  // namespace

std::string first_risky_flag(const std::vector<std::string>& flags) {
  for (size_t i = 0; i < flags.size(); ++i) {
    if (contains(kWithWord, flags[i]) && i + 1 < flags.size())
      ++i;
    else if (!is_harmless(flags[i]))
      return flags[i];
  }
  return "";
}

std::string first_output_flag(const std::vector<std::string>& flags) {
  for (const std::string& flag : flags)
    if (flag.starts_with("-o") || flag.starts_with("--output") || flag == "-c" || flag == "-E" || flag == "-S")
      return flag;
  return "";
}

}  // namespace plait

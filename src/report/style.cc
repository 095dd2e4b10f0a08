#include "report/style.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace plait {

bool use_color(ColorMode mode, int descriptor) {
  if (mode != ColorMode::Auto) return mode == ColorMode::Always;
  const char* no_color = std::getenv("NO_COLOR");
  return !(no_color && *no_color) && isatty(descriptor);
}

std::string Style::wrap(const char* code, const std::string& text) const {
  return color_ ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

namespace {
bool is_start(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }
}  // namespace

size_t columns(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), is_start));
}

std::string fit(const std::string& text, size_t width) {
  const size_t characters = columns(text);
  if (characters <= width) return text + std::string(width - characters, ' ');
  if (width < 2) return std::string(width, '.');
  std::string cut;
  size_t kept = 0;
  for (char c : text) {
    if (is_start(c) && kept++ == width - 2) break;
    cut += c;
  }
  return cut + "..";
}

std::vector<std::string> wrapped(const std::string& text, size_t width) {
  std::vector<std::string> lines;
  std::string rest = text;
  while (rest.size() > width && width > 4) {
    size_t at = rest.rfind(' ', width);
    size_t least = lines.empty() ? 1 : 3;  // the indentation is no place to break
    bool at_space = at != std::string::npos && at >= least;
    if (!at_space) at = width;
    lines.push_back(rest.substr(0, at));
    rest = "  " + rest.substr(at + (at_space ? 1 : 0));
  }
  lines.push_back(rest);
  return lines;
}

std::string shell_word(const std::string& word) {
  bool plain = !word.empty() &&
               word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+=:@") ==
                   std::string::npos;
  if (plain) return word;
  std::string quoted = "'";
  for (char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string printable(const std::string& text) {
  std::string result;
  for (char c : text) {
    unsigned char u = static_cast<unsigned char>(c);
    if (c == '\t')
      result += ' ';
    else if (u < 0x20 || u == 0x7f)
      result += fmt::format("\\x{:02x}", u);
    else
      result += c;
  }
  return result;
}

}  // namespace plait

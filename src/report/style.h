// Colour, and text cut to a width.
#pragma once
#include <string>
#include <vector>

namespace plait {

enum class ColorMode { Auto, Always, Never };

/// Auto: if `descriptor` is a terminal and NO_COLOR is not set (or empty).
bool use_color(ColorMode, int descriptor);

class Style {
 public:
  explicit Style(bool color) : color_(color) {}
  std::string bold(const std::string& text) const { return wrap("1", text); }
  std::string dim(const std::string& text) const { return wrap("2", text); }
  std::string red(const std::string& text) const { return wrap("1;31", text); }
  std::string green(const std::string& text) const { return wrap("1;32", text); }
  std::string yellow(const std::string& text) const { return wrap("1;33", text); }

 private:
  std::string wrap(const char* code, const std::string& text) const;
  bool color_;
};

/// Exactly `width` columns: padded, or cut with "..". Counts UTF-8 characters.
std::string fit(const std::string& text, size_t width);

/// How many columns it takes: UTF-8 characters.
size_t columns(const std::string& text);

/// Lines of at most `width` columns, broken at spaces where possible; the second and later ones are indented by two.
std::vector<std::string> wrapped(const std::string& text, size_t width);

/// Quoted for a shell if it needs to be.
std::string shell_word(const std::string& word);

/// Control characters and such made visible: a program's own text goes to a terminal.
std::string printable(const std::string& text);

}  // namespace plait

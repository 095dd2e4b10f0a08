#include "report/style.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace plait {
namespace {

TEST(Style, Fit) {
  EXPECT_EQ(fit("abc", 5), "abc  ");
  EXPECT_EQ(fit("abcdef", 5), "abc..");
  EXPECT_EQ(fit("äöüäöü", 5), "äöü..");
  EXPECT_EQ(fit("abc", 1), ".");
}

TEST(Style, Wrapped) {
  EXPECT_EQ(wrapped("one two three", 8), (std::vector<std::string>{"one two", "  three"}));
  EXPECT_EQ(wrapped("short", 8), std::vector<std::string>{"short"});
  EXPECT_EQ(wrapped("abcdefghijklmn", 8), (std::vector<std::string>{"abcdefgh", "  ijklmn"}));
}

TEST(Style, Printable) { EXPECT_EQ(printable("a\tb\033[31m\n"), "a b\\x1b[31m\\x0a"); }

TEST(Style, ColourModes) {
  EXPECT_TRUE(use_color(ColorMode::Always, 1));
  EXPECT_FALSE(use_color(ColorMode::Never, 1));
  setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(use_color(ColorMode::Auto, 1));
  unsetenv("NO_COLOR");
  EXPECT_EQ(Style(false).red("x"), "x");
  EXPECT_EQ(Style(true).red("x"), "\033[1;31mx\033[0m");
}

}  // namespace
}  // namespace plait

#include "check/gtest_failure.h"

#include <algorithm>
#include <cstdlib>

namespace plait {
namespace {

constexpr std::string_view kMark = ": Failure\n";

/// Lines up to an empty one, joined: "Expected equality of these values: counter, Which is: 1, 2".
std::string joined(std::string_view text) {
  std::string result;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    size_t first = line.find_first_not_of(' ');
    if (first == std::string_view::npos) break;
    if (!result.empty()) result += result.back() == ':' ? " " : ", ";
    result += line.substr(first);
  }
  return result;
}

}  // namespace

std::optional<GTestFailure> gtest_failure(FailureKind kind, std::string_view message, std::string_view output) {
  if (kind != FailureKind::Crash || !message.starts_with("SIGTRAP")) return std::nullopt;
  size_t mark = output.rfind(kMark);
  if (mark == std::string_view::npos) return std::nullopt;
  size_t begin = output.rfind('\n', mark);
  begin = begin == std::string_view::npos ? 0 : begin + 1;
  std::string place(output.substr(begin, mark - begin));
  size_t colon = place.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  u32 line = static_cast<u32>(std::strtoul(place.c_str() + colon + 1, nullptr, 10));
  return GTestFailure{place.substr(0, colon), line, joined(output.substr(mark + kMark.size()))};
}

}  // namespace plait

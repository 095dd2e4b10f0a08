#include "report/gtest_failure.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace plait {
namespace {

constexpr std::string_view kMark = ": Failure\n";

/// Lines up to an empty one, joined: "Expected equality of these values: counter, Which is: 1, 2".
std::string joined(const std::string& text) {
  std::string result;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos) break;
    if (!result.empty()) result += result.back() == ':' ? " " : ", ";
    result += line.substr(first);
  }
  return result;
}

}  // namespace

void tell_gtest_failure(BugFailure& failure, const std::string& output) {
  if (failure.kind != FailureKind::Crash || !failure.message.starts_with("SIGTRAP")) return;
  size_t mark = output.rfind(kMark);
  if (mark == std::string::npos) return;
  size_t begin = output.rfind('\n', mark);
  begin = begin == std::string::npos ? 0 : begin + 1;
  std::string place = output.substr(begin, mark - begin);
  size_t colon = place.rfind(':');
  if (colon == std::string::npos) return;
  std::string file = place.substr(0, colon);
  u32 line = static_cast<u32>(std::strtoul(place.c_str() + colon + 1, nullptr, 10));
  std::string function = failure.place.file == file ? failure.place.function : "";
  failure.kind = FailureKind::Assertion;
  failure.message = joined(output.substr(mark + kMark.size()));
  failure.place = Place{file, line, 0, function, ""};
  failure.frames = {failure.place};
  failure.source.clear();
}

}  // namespace plait

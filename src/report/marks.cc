#include "report/marks.h"

#include <fmt/format.h>

namespace plait {
namespace {

std::string place_name(u32 site, const ProgramMap& map) {
  const Place place = site == kNoSite ? Place{} : map.place(site);
  if (!place.known()) return "a place that is not known";
  return fmt::format("{}:{}{}", place.file, place.line,
                     place.function.empty() ? "" : fmt::format(" ({})", place.function));
}

}  // namespace

std::string with_names(const std::string& text, const ProgramMap& map) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const size_t mark = text.find_first_of("\x01\x03", at);
    const size_t end = mark == std::string::npos ? mark : text.find('\x02', mark);
    result += text.substr(at, mark == std::string::npos ? mark : mark - at);
    if (end == std::string::npos) break;
    const u64 number = std::stoull(text.substr(mark + 1, end - mark - 1), nullptr, 16);
    result += text[mark] == '\x01' ? place_name(static_cast<u32>(number), map) : map.name(number);
    at = end + 1;
  }
  return result;
}

}  // namespace plait

#include "report/symbols.h"

#include <fmt/core.h>

#include <cstdio>
#include <memory>

#include "report/json.h"
#include "report/style.h"

namespace plait {
namespace {

constexpr size_t kMost = 4000;  // what fits on a command line

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return text;
  char part[4096];
  for (size_t n; (n = fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, n);
  return pclose(pipe) == 0 ? text : "";
}

Place place_of(const Json& symbol) {
  Place place;
  place.file = symbol.value("FileName", "");
  place.line = symbol.value("Line", 0u);
  place.column = symbol.value("Column", 0u);
  place.function = readable_function(symbol.value("FunctionName", ""));
  while (place.file.starts_with("./")) place.file.erase(0, 2);
  return place;
}

}  // namespace

std::map<u64, std::vector<Place>> places_in_code(const std::string& program, const std::set<u64>& addresses) {
  std::map<u64, std::vector<Place>> places;
  std::string command =
      fmt::format("llvm-symbolizer-19 --obj={} --output-style=JSON --relativenames --no-demangle", shell_word(program));
  size_t count = 0;
  for (u64 address : addresses)
    if (count++ < kMost) command += fmt::format(" {:#x}", address);
  if (count == 0) return places;
  const Json answers = Json::parse(output_of(command + " 2>/dev/null"), nullptr, false);
  if (!answers.is_array()) return places;
  for (const Json& answer : answers) {
    if (!answer.is_object() || !answer.contains("Symbol")) continue;
    const u64 address = std::stoull(answer.value("Address", "0x0"), nullptr, 16);
    for (const Json& symbol : answer["Symbol"])
      if (Place place = place_of(symbol); place.known() || !place.function.empty()) places[address].push_back(place);
  }
  return places;
}

}  // namespace plait

#include "report/json.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "base/error.h"

template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace plait {
namespace {

constexpr size_t kMostBytes = size_t{256} << 20;
constexpr size_t kMostValues = 20'000'000;
constexpr size_t kDeepest = 32;  // our files: 4

/// Before a tree is made of it.
void require_moderate(std::string_view text) {
  size_t depth = 0, values = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
      continue;
    }
    in_string = c == '"';
    if (c == '[' || c == '{') {
      if (++depth > kDeepest) throw std::runtime_error("it is nested too deep");
      ++values;
    }
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if (c == ',' && ++values > kMostValues) throw std::runtime_error("it holds too much");
  }
}

}  // namespace

Json parse_json(std::string_view text) {
  if (text.size() > kMostBytes) throw std::runtime_error("it is too large");
  require_moderate(text);
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw std::runtime_error("it is damaged: no JSON");
  return json;
}

Json read_json_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text;
  char buffer[65536];
  while (in && text.size() <= kMostBytes) {
    in.read(buffer, sizeof buffer);
    text.append(buffer, static_cast<size_t>(in.gcount()));
  }
  if (text.empty() && !in.eof())
    throw Error(kExitUsage, fmt::format("cannot read '{}': {}", file, std::strerror(errno)));
  try {
    return parse_json(text);
  } catch (const std::runtime_error& error) {
    throw Error(kExitUsage, fmt::format("cannot use '{}': {}", file, error.what()));
  }
}

}  // namespace plait

#include <stdexcept>
// What the library takes for impossible may stand in a file: an error, not the end.
#define TOML_ASSERT(expression) \
  ((expression) ? void() : throw std::runtime_error("this is no TOML"))  // NOLINT: a macro of the library
#include <fmt/core.h>
#include <toml++/toml.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "exogenous/relations.h"

namespace plait::exogenous {
namespace {

nlohmann::json to_json(const toml::node& node) {
  if (const toml::table* table = node.as_table()) {
    nlohmann::json object = nlohmann::json::object();
    for (const auto& [key, value] : *table) object[std::string(key.str())] = to_json(value);
    return object;
  }
  if (const toml::array* array = node.as_array()) {
    nlohmann::json list = nlohmann::json::array();
    for (const toml::node& value : *array) list.push_back(to_json(value));
    return list;
  }
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto truth = node.value_exact<bool>()) return *truth;
  if (const auto number = node.value_exact<int64_t>()) return *number;
  if (const auto number = node.value_exact<double>()) return *number;
  throw std::invalid_argument(fmt::format("line {}: a date is no attribute", node.source().begin.line));
}

}  // namespace

void Relations::take_file(const std::string& file) {
  try {
    const toml::parse_result parsed = toml::parse_file(file);
    take(to_json(parsed));
  } catch (const toml::parse_error& error) {
    throw Error(kExitUsage, fmt::format("{}:{}: {}", file, error.source().begin.line, error.description()));
  } catch (const std::exception& error) {
    throw Error(kExitUsage, fmt::format("{}: {}", file, error.what()));
  }
}

}  // namespace plait::exogenous

#include "cli/config.h"

#include <stdexcept>
// What the library takes for impossible may stand in a file: an error, not the end.
#define TOML_ASSERT(expression) \
  ((expression) ? void() : throw std::runtime_error("this is no TOML"))  // NOLINT: a macro of the library
#include <fmt/core.h>
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"

namespace plait {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& file, const toml::source_region& where, const std::string& what) {
  throw Error(kExitUsage, fmt::format("{}:{}: {}", file, where.begin.line, what));
}

/// "--jobs 4", "--jobs=4", "-j4"
bool is_given(const OptionModel& option, const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::any_of(option.names.begin(), option.names.end(), [&](const std::string& name) {
      if (name.starts_with("--")) return word == name || word.starts_with(name + "=");
      return word.starts_with(name) && !word.starts_with("--");
    });
  });
}

std::string shell_joined(const std::string& file, const std::string& key, const toml::array& array) {
  std::string text;
  for (const toml::node& element : array) {
    auto word = element.value<std::string>();
    if (!word) fail(file, element.source(), fmt::format("{} is a list of strings", key));
    // The words of cflags are split again later, quotes understood.
    bool plain = word->find_first_of(" \t\"'\\") == std::string::npos;
    std::string quoted = "\"";
    for (char c : *word) quoted += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    text += (text.empty() ? "" : " ") + (plain ? *word : quoted + "\"");
  }
  return text;
}

/// Kinds of bugs: a list with commas.
std::string comma_joined(const std::string& file, const std::string& key, const toml::array& array) {
  std::string text;
  for (const toml::node& element : array) {
    auto word = element.value<std::string>();
    if (!word) fail(file, element.source(), fmt::format("{} is a list of strings", key));
    text += (text.empty() ? "" : ",") + *word;
  }
  return text;
}

std::string value_text(const std::string& file, const std::string& key, const OptionModel& option,
                       const toml::node& node) {
  if (option.value.empty()) {
    if (auto flag = node.value_exact<bool>()) return *flag ? "true" : "false";
    fail(file, node.source(), fmt::format("{} is true or false", key));
  }
  if (const toml::array* array = node.as_array()) {
    if (key == "cflags") return shell_joined(file, key, *array);
    if ((key == "check" || key == "ignore") && !array->empty()) return comma_joined(file, key, *array);
  } else if (auto text = node.value_exact<std::string>()) {
    return *text;
  } else if (auto integer = node.value_exact<int64_t>()) {
    return fmt::format("{}", *integer);
  } else if (auto number = node.value_exact<double>()) {
    return fmt::format("{}", *number);
  } else if (auto flag = node.value_exact<bool>(); flag && option.choices == std::vector<std::string>{"on", "off"}) {
    return *flag ? "on" : "off";
  }
  fail(file, node.source(), fmt::format("{} takes one {}", key, option.value));
}

}  // namespace

std::string find_config() {
  std::error_code error;
  for (fs::path at = fs::current_path(error); !error && !at.empty(); at = at.parent_path()) {
    fs::path file = at / "plait.toml";
    std::error_code absent;
    if (fs::is_regular_file(file, absent)) return fs::relative(file, error).string();
    if (at == at.parent_path()) break;
  }
  return "";
}

std::vector<std::string> config_words(const std::string& file, const CommandModel& check,
                                      const std::vector<std::string>& given) {
  constexpr size_t kMostBytes = 1 << 20;
  std::error_code absent;
  if (fs::is_regular_file(file, absent) && fs::file_size(file, absent) > kMostBytes)
    throw Error(kExitUsage, fmt::format("{}: too large for a project file", file));
  toml::table root;
  try {
    root = toml::parse_file(file);
  } catch (const toml::parse_error& error) {
    fail(file, error.source(), std::string(error.description()));
  } catch (const std::runtime_error& error) {
    throw Error(kExitUsage, fmt::format("{}: {}", file, error.what()));
  }
  std::vector<std::string> words;
  for (const auto& [section, node] : root) {
    const toml::table* table = node.as_table();
    if (section.str() != "check" || !table)
      fail(file, section.source(), fmt::format("'{}' is not known: options stand in the table [check]", section.str()));
    for (const auto& [key, value] : *table) {
      std::string name(key.str());
      const OptionModel* option = check.find(name);
      if (!option || name == "help" || name == "config" || name == "no-config")
        fail(file, key.source(), fmt::format("'{}' is no option of plait check (see plait check --help)", name));
      if (!is_given(*option, given))
        words.push_back(fmt::format("--{}={}", name, value_text(file, name, *option, value)));
    }
  }
  return words;
}

}  // namespace plait

#include "report/inputs.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <stdexcept>

#include "report/names.h"
#include "trace/labels.h"
#include "trace/outside.h"

namespace plait {
namespace {

constexpr size_t kMostShown = 16;

u64 from_hex(const Json& json) { return std::stoull(json.get<std::string>(), nullptr, 16); }

}  // namespace

std::string input_value(const InputVariable& input) {
  const u64 value = input.value & labels::mask(input.width);
  return input.is_signed ? fmt::format("{}", labels::as_signed(value, input.width)) : fmt::format("{}", value);
}

namespace {

/// "text" of "text[3]"; empty: it is no part of an object.
std::string whole_of(const std::string& name) {
  const size_t bracket = name.rfind('[');
  return bracket == std::string::npos || bracket == 0 || name.back() != ']' ? "" : name.substr(0, bracket);
}

/// How many inputs from there on are the bytes of one text, an argument or an array of characters, say.
size_t text_at(const std::vector<InputVariable>& inputs, size_t begin) {
  const std::string whole = whole_of(inputs[begin].name);
  u64 offset = 0;
  size_t end = begin;
  for (; end < inputs.size() && !whole.empty() && inputs[end].thread == inputs[begin].thread; ++end) {
    if (inputs[end].name != fmt::format("{}[{}]", whole, offset) || inputs[end].has_range) break;
    offset += inputs[end].width / 8;
  }
  return end - begin;
}

/// The bytes, and do they look like a text?
std::pair<std::string, bool> bytes_of(const std::vector<InputVariable>& inputs, size_t begin, size_t count) {
  std::string bytes;
  bool only_bytes = true, any = false, readable = true;
  for (size_t i = begin; i < begin + count; ++i) {
    only_bytes &= inputs[i].width == 8;
    for (unsigned bit = 0; bit < inputs[i].width; bit += 8) {
      const char c = static_cast<char>(inputs[i].value >> bit);
      bytes += c;
      any |= c != 0;
      readable &= c == 0 || c == '\n' || c == '\t' || (c >= ' ' && c <= '~');
    }
  }
  return {bytes, only_bytes || (any && readable)};
}

std::string quoted(const std::string& bytes) {
  std::string text = "\"";
  for (const char c : bytes) {
    if (c == '"' || c == '\\')
      text += std::string("\\") + c;
    else if (c >= ' ' && c <= '~')
      text += c;
    else if (c == '\n')
      text += "\\n";
    else if (c == '\t')
      text += "\\t";
    else
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return text + "\"";
}

}  // namespace

std::vector<NamedValue> named_values(const std::vector<InputVariable>& inputs) {
  std::map<std::pair<std::string, ThreadId>, u32> seen;
  std::vector<NamedValue> values;
  for (size_t i = 0; i < inputs.size();) {
    const InputVariable& input = inputs[i];
    const size_t parts = text_at(inputs, i);
    const auto [bytes, is_text] = parts ? bytes_of(inputs, i, parts) : std::pair<std::string, bool>{};
    const bool whole = parts > 0 && is_text;
    std::string name = whole ? whole_of(input.name) : input.name;
    const u32 number = ++seen[{name, input.thread}];
    if (number > 1) name += fmt::format("#{}", number);
    if (input.thread) name += fmt::format(" of {}", thread_name(input.thread));
    values.push_back({name, whole ? quoted(bytes) : input_value(input)});
    i += whole ? parts : 1;
  }
  return values;
}

std::string inputs_text(const std::vector<InputVariable>& inputs) {
  std::string text;
  size_t shown = 0;
  for (const auto& [name, value] : named_values(inputs)) {
    if (shown++ == kMostShown) return text + ", ...";
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  }
  return text;
}

std::string explored_names(const std::vector<std::string>& names) {
  constexpr size_t kMost = 8;
  std::vector<std::string> wholes;
  for (const std::string& name : names) {
    const std::string whole = whole_of(name).empty() ? name : whole_of(name);
    if (std::find(wholes.begin(), wholes.end(), whole) == wholes.end()) wholes.push_back(whole);
  }
  std::string text;
  for (size_t i = 0; i < wholes.size() && i < kMost; ++i) text += (i ? ", " : "") + wholes[i];
  return wholes.size() > kMost ? text + ", ..." : text;
}

Json outside_to_json(const OutsideInputs& outside) {
  Json environment = Json::object();
  for (const auto& [name, size] : outside.environment) environment[name] = size;
  return {{"args", outside.arguments}, {"stdin", outside.standard_input}, {"env", environment}};
}

OutsideInputs outside_from_json(const Json& json) {
  OutsideInputs outside;
  outside.arguments = json.at("args").get<std::vector<unsigned>>();
  outside.standard_input = json.at("stdin");
  for (const auto& [name, size] : json.at("env").items()) outside.environment.emplace_back(name, size);
  u64 bytes = outside.standard_input;
  for (const unsigned size : outside.arguments) bytes += size;
  for (const auto& [name, size] : outside.environment) bytes += size;
  if (bytes > kMostFreeBytes || outside.arguments.size() + outside.environment.size() > kMostFreeTexts)
    throw std::runtime_error("it is damaged: its free arguments");
  return outside;
}

Json inputs_to_json(const std::vector<InputVariable>& inputs) {
  Json list = Json::array();
  for (const InputVariable& input : inputs) {
    Json json = {{"name", input.name},
                 {"thread", input.thread},
                 {"index", input.index},
                 {"bits", input.width},
                 {"signed", input.is_signed != 0},
                 {"value", input_value(input)},
                 {"id", fmt::format("{:#x}", input.id)},
                 {"raw", fmt::format("{:#x}", input.value)}};
    if (input.has_range) json["range"] = {fmt::format("{:#x}", input.low), fmt::format("{:#x}", input.high)};
    list.push_back(json);
  }
  return list;
}

std::vector<InputVariable> inputs_from_json(const Json& list) {
  std::vector<InputVariable> inputs;
  for (const Json& json : list) {
    InputVariable input{};
    const std::string name = json.at("name");
    std::snprintf(input.name, sizeof input.name, "%s", name.c_str());
    const u64 thread = json.at("thread"), bits = json.at("bits");
    if (thread >= kMaxThreads || bits == 0 || bits > 64) throw std::runtime_error("it is damaged: an input");
    input.thread = static_cast<ThreadId>(thread);
    input.width = static_cast<u8>(bits);
    input.index = json.at("index");
    input.is_signed = json.at("signed").get<bool>();
    input.id = from_hex(json.at("id"));
    input.value = from_hex(json.at("raw"));
    input.has_value = 1;
    if (input.id == 0) throw std::runtime_error("it is damaged: an input");
    if (json.contains("range")) {
      input.has_range = 1;
      input.low = from_hex(json["range"].at(0));
      input.high = from_hex(json["range"].at(1));
    }
    inputs.push_back(input);
  }
  return inputs;
}

}  // namespace plait

#include "report/inputs.h"

#include <fmt/core.h>

#include <cstdio>
#include <map>
#include <stdexcept>

#include "report/names.h"
#include "trace/labels.h"

namespace plait {
namespace {

constexpr size_t kMostShown = 16;

u64 from_hex(const Json& json) { return std::stoull(json.get<std::string>(), nullptr, 16); }

}  // namespace

std::string input_value(const InputVariable& input) {
  const u64 value = input.value & labels::mask(input.width);
  return input.is_signed ? fmt::format("{}", labels::as_signed(value, input.width)) : fmt::format("{}", value);
}

std::string inputs_text(const std::vector<InputVariable>& inputs) {
  std::map<std::pair<std::string, ThreadId>, u32> seen;
  std::string text;
  size_t shown = 0;
  for (const InputVariable& input : inputs) {
    if (shown++ == kMostShown) return text + fmt::format(", and {} more", inputs.size() - kMostShown);
    const u32 number = ++seen[{input.name, input.thread}];
    text +=
        fmt::format("{}{}{}{} = {}", text.empty() ? "" : ", ", input.name, number > 1 ? fmt::format("#{}", number) : "",
                    input.thread ? fmt::format(" of {}", thread_name(input.thread)) : "", input_value(input));
  }
  return text;
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

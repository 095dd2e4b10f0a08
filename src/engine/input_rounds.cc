#include "engine/input_rounds.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "base/error.h"

namespace plait {
namespace {

std::vector<std::pair<u64, u64>> shared_ranges(const Visibility& visibility) {
  std::vector<std::pair<u64, u64>> ranges;
  for (const Visibility::Range& range : visibility.shared) ranges.emplace_back(range.begin, range.begin + range.size);
  std::sort(ranges.begin(), ranges.end());
  // Ranges may overlap: the log of several workers.
  std::vector<std::pair<u64, u64>> joined;
  for (const auto& range : ranges)
    if (!joined.empty() && range.first <= joined.back().second)
      joined.back().second = std::max(joined.back().second, range.second);
    else
      joined.push_back(range);
  return joined;
}

[[noreturn]] void distrust(const std::string& what) {
  throw Error(kExitInternal, fmt::format("following the program's inputs went wrong ({}): its results cannot be "
                                         "trusted; please report this. --inputs fixed does without",
                                         what));
}

std::pair<std::string, std::string> split(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw Error(kExitUsage, fmt::format("--input '{}': give NAME=VALUE", text));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

u64 number(const std::string& text, const std::string& option) {
  try {
    size_t end = 0;
    const u64 value = text[0] == '-' ? static_cast<u64>(std::stoll(text, &end, 0)) : std::stoull(text, &end, 0);
    if (end == text.size()) return value;
  } catch (const std::exception&) {
  }
  throw Error(kExitUsage, fmt::format("--input '{}': the value is no number of up to 64 bits", option));
}

}  // namespace

void fix_named_inputs(LabelTables& tables, const std::vector<std::string>& values) {
  if (values.size() > kNamedInputs) throw Error(kExitUsage, fmt::format("--input: at most {} inputs", kNamedInputs));
  for (const std::string& text : values) {
    const auto [name, value] = split(text);
    NamedInput& slot = tables.named[tables.named_count++];
    std::snprintf(slot.name, sizeof slot.name, "%s", name.c_str());
    slot.value = number(value, text);
  }
}

void require_named_inputs(SessionMemory& session, const std::vector<std::string>& values) {
  const LabelTables& tables = session.labels();
  for (u32 i = 0; i < tables.named_count; ++i) {
    if (tables.named[i].misfit)
      throw Error(kExitUsage, fmt::format("--input '{}': the value is out of the input's range", values[i]));
    if (tables.named[i].taken) continue;
    std::set<std::string> names;
    for (const InputVariable& input : session.taken_inputs()) names.insert(input.name);
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    throw Error(kExitUsage, fmt::format("--input '{}': the program takes no such input; it takes {}", values[i],
                                        list.empty() ? "none" : list));
  }
}

InputRounds::InputRounds(SessionMemory& session, const CheckOptions& options, bool follows)
    : session_(session), options_(options), active_(follows && options.inputs == "explore") {
  session_.labels().enabled = active_;
  fix_named_inputs(session_.labels(), options.input_values);
  // Loops that run out early are compared by values, not by expressions.
  if (active_) session_.session().counts_turns = 1;
  inputs_.emplace_back();
}

void InputRounds::note(const solve::RoundRecord& record) {
  for (const InputVariable& input : record.inputs) {
    values_[input.name].insert(input.has_value ? input.value : input.low);
    bits_[input.name] = input.width;
    types_[input.name] = fmt::format("{}{}", input.is_signed ? 'i' : 'u', input.width);
  }
  for (const LabelNode& node : record.nodes) {
    if (node.decided & decided::kBranch) sides_[node.site].insert(labels::mixed(node.label, node.value));
    if (node.decided & decided::kFixed) fixed_[node.site].insert(labels::mixed(node.label, node.value));
  }
}

solve::NextInput InputRounds::ask(solve::InputValues& values, double seconds) {
  try {
    return classes_.next(values, seconds);
  } catch (const std::exception& error) {
    distrust(error.what());
  }
}

void InputRounds::note_taken() {
  for (const InputVariable& input : session_.taken_inputs()) {
    values_[input.name].insert(input.value & labels::mask(input.width));
    bits_[input.name] = input.width;
    types_[input.name] = fmt::format("{}{}", input.is_signed ? 'i' : 'u', input.width);
  }
}

void InputRounds::begin(std::vector<InputVariable> values) {
  note_taken();
  inputs_.push_back(std::move(values));
  set(round());
  if (listener_) listener_(round());
}

void InputRounds::choose(const std::vector<InputVariable>& values) {
  const auto same = [](const InputVariable& a, const InputVariable& b) { return a.id == b.id && a.value == b.value; };
  chooses_ = true;
  std::vector<std::pair<u64, u64>> key;
  for (const InputVariable& value : values) key.emplace_back(value.id, value.value);
  chosen_.insert(std::move(key));
  if (!std::ranges::equal(values, inputs_.back(), same)) return begin(values);
  if (session_.labels().node_count <= kLabelNodes / 16) return;
  note_taken();
  set(round());
}

void InputRounds::give_up() {
  chooses_ = false;
  gave_up_ = true;
  begin({});
}

bool InputRounds::another(const Control& control) {
  if (!active_) return false;
  if (chooses_) {
    note_taken();
    stopped_ = !covered_ && control.reason() != StopReason::Bug;
    return false;
  }
  Visibility& end = ends_[round()] = session_.visibility();
  end.inputs = inputs_[round()];
  const LabelTables& tables = session_.labels();
  if (tables.collision) distrust("two expressions have one hash");
  const solve::RoundRecord record = solve::record_of(tables);
  note(record);
  if (tables.overflow) {
    obstacle_ = "inputs: a run depends on them in too many ways to be followed";
    return false;
  }
  if (record.inputs.empty()) return false;
  std::vector<solve::Equality> conditions = solve::decisions(record);
  const std::vector<solve::Equality> equal = solve::coincidences(record.shared, shared_ranges(session_.visibility()));
  conditions.insert(conditions.end(), equal.begin(), equal.end());
  if (const std::string problem = classes_.add(record, conditions); !problem.empty()) distrust(problem);
  if (control.stopped()) {
    stopped_ = control.reason() != StopReason::Bug;
    return false;
  }
  solve::InputValues values;
  const double seconds = std::min(control.seconds_left().value_or(1e6), std::max(options_.solver_timeout, 1.0) * 6);
  const solve::NextInput found = ask(values, seconds);
  if (found == solve::NextInput::None) return false;
  stopped_ = true;
  if (found == solve::NextInput::Unknown) {
    obstacle_ = "inputs: the solver has given up; not all of their values are covered";
    return false;
  }
  if (options_.max_paths && classes_.count() >= *options_.max_paths) {
    obstacle_ = fmt::format("max-paths: {}; not all values of the inputs are covered", *options_.max_paths);
    return false;
  }
  stopped_ = false;
  std::vector<InputVariable> next;
  for (const auto& [id, value] : values) {
    InputVariable input = classes_.expressions().inputs().at(id);
    input.value = value;
    input.has_value = 1;
    next.push_back(input);
  }
  std::sort(next.begin(), next.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  inputs_.push_back(std::move(next));
  set(round());
  return true;
}

void InputRounds::set(u32 round) {
  if (active_) session_.set_inputs(inputs_[round]);
}

const Visibility* InputRounds::visibility(u32 round) const {
  const auto end = ends_.find(round);
  return end == ends_.end() || end->second.extent() == session_.extent() ? nullptr : &end->second;
}

std::string InputRounds::busiest(const ProgramMap* map) const {
  u32 site = 0;
  size_t most = 0;
  for (const auto* all : {&sides_, &fixed_})
    for (const auto& [at, sides] : *all)
      if (sides.size() > most) {
        most = sides.size();
        site = at;
      }
  const Place place = map && site ? map->place(site) : Place{};
  return place.known() ? fmt::format(" (most of them at {}:{}, {} sides)", place.file, place.line, most) : "";
}

void InputRounds::report(CheckResult& result, const ProgramMap* map, bool verbose) {
  if (!active_ || values_.empty()) return;
  for (const auto& [name, values] : values_)
    result.explored.push_back({name, bits_[name], values.size(), types_[name]});
  result.input_classes = chooses_ ? chosen_.size() : classes_.count();
  if (!obstacle_.empty() || stopped_) {
    const std::string covered = fmt::format("{} {} of inputs covered{}", result.input_classes,
                                            result.input_classes == 1 ? "class" : "classes", busiest(map));
    obstacle_ = obstacle_.empty() ? "inputs: " + covered : obstacle_ + "; " + covered;
  }
  if (!verbose) return;
  for (const auto& [site, values] : fixed_) {
    const Place place = map && site ? map->place(site) : Place{};
    fmt::print(stderr, "plait: a value that depends on inputs was needed, {} {}{}\n", values.size(),
               values.size() == 1 ? "case" : "cases",
               place.known() ? fmt::format(" (at {}:{})", place.file, place.line) : "");
  }
}

}  // namespace plait

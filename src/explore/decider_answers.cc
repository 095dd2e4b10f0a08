// What a search that has ended tells: livelocks, outcomes, classes.
#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/memory_use.h"
#include "explore/decider.h"

namespace plait {

/// Backwards from where the program ends, or gets stuck for good (a deadlock, which has a report of its own). Empty:
/// stopped.
std::vector<bool> Decider::states_that_can_end() const {
  const u32 count = store_.size();
  std::vector<u32> first(count + 1, 0), sources(transitions_.size());
  for (const Transition& t : transitions_) ++first[t.to + 1];
  for (u32 i = 0; i < count; ++i) first[i + 1] += first[i];
  std::vector<u32> fill(first.begin(), first.end() - 1);
  for (const Transition& t : transitions_) sources[fill[t.to]++] = t.from;
  std::vector<bool> can_end(count, false);
  std::vector<u32> todo;
  auto reach = [&](u32 number) {
    if (can_end[number]) return;
    can_end[number] = true;
    todo.push_back(number);
  };
  for (const u32 number : ends_) reach(number);
  for (const u32 number : exits_) reach(number);
  for (const Lead& lead : leads_) reach(lead.state);
  while (!todo.empty()) {
    if (is_stopped()) return {};
    const u32 at = todo.back();
    todo.pop_back();
    for (u32 i = first[at]; i < first[at + 1]; ++i) reach(sources[i]);
  }
  return can_end;
}

std::vector<Lead> Decider::endless() {
  if (!futures_.has_cycles()) return {};
  const u32 count = store_.size();
  if (!has_room_for(transitions_.size() * 8 + u64{count} * 24)) {
    out_of_memory_ = true;
    return {};
  }
  const std::vector<bool> can_end = states_that_can_end();
  if (std::find(can_end.begin(), can_end.end(), false) == can_end.end()) return {};

  // Forwards, nearest first.
  std::vector<u32> first(count + 1, 0), order(transitions_.size());
  for (const Transition& t : transitions_) ++first[t.from + 1];
  for (u32 i = 0; i < count; ++i) first[i + 1] += first[i];
  std::vector<u32> fill(first.begin(), first.end() - 1);
  for (u32 i = 0; i < transitions_.size(); ++i) order[fill[transitions_[i].from]++] = i;
  std::vector<bool> seen(count, false);
  nearest_.assign(count, {StateStore::kRoot, 0});
  std::vector<u32> queue{0};
  seen[0] = true;
  std::vector<Lead> found;
  std::set<ThreadSet> known;
  for (size_t next = 0; next < queue.size(); ++next) {
    if (is_stopped()) return {};
    const u32 at = queue[next];
    if (!can_end[at]) {
      if (known.insert(product_.live(store_.at(at))).second)
        found.push_back({at, kNoThread, 0, StepKind::Endless, {Claim::Endless, 0, 0, 0}});
      continue;
    }
    for (u32 i = first[at]; i < first[at + 1]; ++i) {
      const Transition& t = transitions_[order[i]];
      if (seen[t.to]) continue;
      seen[t.to] = true;
      nearest_[t.to] = {at, t.trail};
      queue.push_back(t.to);
    }
  }
  return found;
}

std::vector<std::pair<std::string, Lead>> Decider::outcomes() const {
  std::map<std::string, Lead> found;
  for (const u32 number : ends_) {
    u32 written;
    std::memcpy(&written, store_.at(number) + layout_.output_offset(), 4);
    // The end of the program is part of the path: the run would let others go on first.
    const ThreadSet exiting = product_.exiting(store_.at(number));
    const ThreadId thread = exiting ? lowest(exiting) : kNoThread;
    found.try_emplace(outputs_.whole(written, knowledge_), Lead{number, thread, 0, StepKind::ProgramEnd});
  }
  return {found.begin(), found.end()};
}

std::vector<std::vector<NodeId>> Decider::class_ends() const {
  std::set<std::vector<NodeId>> distinct;
  for (const u32 number : ends_) {
    std::vector<NodeId> cursors(layout_.threads());
    for (u32 t = 0; t < layout_.threads(); ++t) cursors[t] = product_.cursor(store_.at(number), t);
    distinct.insert(std::move(cursors));
  }
  return {distinct.begin(), distinct.end()};
}

u64 Decider::classes() const {
  std::unordered_set<std::string_view> distinct;
  for (const u32 number : ends_)
    distinct.insert({reinterpret_cast<const char*>(store_.at(number)), layout_.threads() * 4});
  return distinct.size();
}

Schedule schedule_of(const Path& path) {
  std::vector<Choice> steps;
  for (const PathStep& step : path.steps)
    steps.push_back(
        Choice{step.chosen ? kChosenStep : kPlainStep, step.thread, step.chosen ? step.arg : u16{0}, step.position});
  return {merged(steps), path.claim};
}

}  // namespace plait

// Read-value classes of complete runs, for explorers that run each of them: two runs are of one class if all threads
// have the same local histories.
#pragma once
#include <map>
#include <span>
#include <string>
#include <unordered_set>

#include "knowledge/behaviour.h"

namespace plait {

class ClassCounter {
 public:
  void clear() { seen_.clear(); }
  size_t size() const { return seen_.size(); }
  /// The classes, as any strings that differ.
  const std::unordered_set<std::string>& all() const { return seen_; }

  void add(std::span<const Event> events) {
    std::map<ThreadId, std::string> histories;
    bool was_result = false;
    for (const Event& event : events) {
      const bool is_result = event.op == Op::Extension
                                 ? was_result
                                 : machine::is_branching(event.op, event.detail);  // the high half, if it is one
      if (is_result) histories[event.thread].append(reinterpret_cast<const char*>(&event.value), sizeof event.value);
      was_result = is_result;
    }
    std::string all;
    for (const auto& [thread, history] : histories)
      all += std::to_string(thread) + ' ' + std::to_string(history.size()) + ' ' + history;
    seen_.insert(std::move(all));
  }

 private:
  std::unordered_set<std::string> seen_;
};

}  // namespace plait

// Runs that recorded every operation, shared or not. When more memory turns out to be shared, their traces are looked
// at again with what is known now, and what they show need not be run again.
#pragma once
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "explore/seeds.h"
#include "explore/shared_bytes.h"
#include "run/run_view.h"
#include "knowledge/behaviour.h"

namespace plait {

/// Events that count: those on shared bytes, and those on none. Draining operations that nobody else sees become fences.
template <class Counts>
std::vector<Event> shared_events(std::span<const Event> events, MemoryModel memory_model, Counts&& counts) {
  // A wait is an operation on its mutex, too: either of the two makes both count.
  auto waits = [](const Event& event) { return event.op == Op::CondWait || event.op == Op::CondWake; };
  std::set<u64> mutexes;
  for (const Event& event : events)
    if (waits(event) && counts(event.location, 1)) mutexes.insert(event.operand);
  std::vector<Event> kept;
  bool keep = false;
  machine::PendingStores stores[kMaxThreads];
  for (Event event : events) {
    if (event.op != Op::Extension) {
      keep = !Behaviour::uses_bytes(event) || counts(event.location, Behaviour::bytes_of(event)) ||
             (waits(event) && counts(event.operand, 1)) || mutexes.contains(event.location);
      if (memory_model != MemoryModel::Sc && event.op != Op::Flush)
        keep = Behaviour::follow_buffer(memory_model, stores[event.thread], event, keep);
    }
    if (keep) kept.push_back(event);
  }
  return kept;
}

class Album {
 public:
  struct Picture {
    std::vector<Event> events;
    Reply reply;
    std::string output;
    std::vector<Failure> more_failures;
    RunView view() const { return {&reply, events, output, more_failures}; }
  };

  /// Is there room for another run, and are such runs short enough?
  bool wants_more() const {
    std::lock_guard lock(mutex_);
    return open_ && pictures_.size() < kMost;
  }
  void add(const RunView& run) {
    std::lock_guard lock(mutex_);
    if (open_ && pictures_.size() < kMost)
      pictures_.push_back(std::make_shared<Picture>(
          Picture{{run.events.begin(), run.events.end()}, *run.reply, std::string(run.output),
                  {run.more_failures.begin(), run.more_failures.end()}}));
  }
  /// Recording everything makes runs too long.
  void close() {
    std::lock_guard lock(mutex_);
    open_ = false;
  }
  std::vector<std::shared_ptr<const Picture>> pictures() const {
    std::lock_guard lock(mutex_);
    return {pictures_.begin(), pictures_.end()};
  }

 private:
  static constexpr size_t kMost = 64;  // sharing is found early, or seldom
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<const Picture>> pictures_;
  bool open_ = true;
};

}  // namespace plait

// Runs that recorded every operation, shared or not. When more memory turns out to be shared, their traces are looked
// at again with what is known now, and what they show need not be run again.
#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "knowledge/behaviour.h"
#include "run/run_view.h"

namespace plait {

class Album {
 public:
  explicit Album(bool closed = false) : open_(!closed) {}
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
      pictures_.push_back(std::make_shared<Picture>(Picture{{run.events.begin(), run.events.end()},
                                                            *run.reply,
                                                            std::string(run.output),
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
  bool open_;
};

}  // namespace plait

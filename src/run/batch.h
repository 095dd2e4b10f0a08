// Runs to be made, in order: requests with their schedules.
#pragma once
#include <concepts>
#include <span>
#include <vector>

#include "trace/session.h"

namespace plait {

/// The entries of a schedule, or the steps that they are made of (explore/schedule.h), and what it is to show.
struct Schedule {
  std::vector<Choice> choices;
  Claim claim = {};
};

class Batch {
 public:
  void clear() { requests_.clear(), used_ = 0; }
  u32 size() const { return static_cast<u32>(requests_.size()); }
  /// Adds a run; false when the batch is full.
  bool add(const Request&, std::span<const Choice> schedule);
  template <std::same_as<Schedule> With>  // an empty list means the other one
  bool add(Request request, const With& schedule) {
    request.claim = schedule.claim;
    return add(request, std::span(schedule.choices));
  }
  /// The same in place: room for `most` choices (null when the batch is full), then the request with how many were
  /// written.
  Choice* room(u32 most);
  void commit(const Request&, u32 choices);

  /// Its `schedule` is an index into this batch's choices.
  const Request& request(u32 index) const { return requests_[index]; }
  std::span<const Choice> schedule(u32 index) const {
    return {choices_.data() + requests_[index].schedule, requests_[index].choices};
  }

 private:
  std::vector<Request> requests_;
  std::vector<Choice> choices_;  // beyond used_: room
  u32 used_ = 0;
};

}  // namespace plait

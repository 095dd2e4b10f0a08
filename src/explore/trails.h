// The steps from one stored state of a search to the next: often many, for states where only one step has to be taken
// are passed through and not kept. Equal steps in a row are written once, in a few bytes.
#pragma once
#include <span>
#include <vector>

#include "trace/types.h"

namespace plait {

struct TrailStep {
  ThreadId thread;  // kNoThread: no step, but threads that are alike change places; `sides` says how
  u16 arg = 0;
  u32 sides = 0;  // where inputs are symbols: which way the step went
  bool operator==(const TrailStep&) const = default;
};

class Trails {
 public:
  /// The number of the trail that is added next; never 0.
  u32 next() const { return static_cast<u32>(bytes_.size()); }
  void add(std::span<const TrailStep> steps) {
    u32 groups = 0;
    for (size_t i = 0; i < steps.size(); ++i) groups += i == 0 || steps[i] != steps[i - 1];
    put(groups);
    for (size_t i = 0; i < steps.size();) {
      size_t end = i + 1;
      while (end < steps.size() && steps[end] == steps[i]) ++end;
      put(static_cast<u32>(end - i));
      put(steps[i].thread);
      put(steps[i].arg);
      put(steps[i].sides);
      i = end;
    }
  }
  std::vector<TrailStep> steps(u32 trail) const {
    std::vector<TrailStep> steps;
    size_t at = trail;
    for (u32 groups = get(at); groups > 0; --groups) {
      const u32 times = get(at);
      TrailStep step{static_cast<ThreadId>(get(at))};
      step.arg = static_cast<u16>(get(at));
      step.sides = get(at);
      steps.insert(steps.end(), times, step);
    }
    return steps;
  }
  /// Room for this many bytes more; false: there is none.
  bool fits(size_t more) const { return bytes_.size() + more < ~u32{0}; }
  size_t capacity() const { return bytes_.capacity(); }
  size_t size() const { return bytes_.size(); }

 private:
  void put(u32 value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<u8>(value | 0x80));
    bytes_.push_back(static_cast<u8>(value));
  }
  u32 get(size_t& at) const {
    u32 value = 0;
    for (u32 shift = 0;; shift += 7) {
      const u8 byte = bytes_[at++];
      value |= static_cast<u32>(byte & 0x7f) << shift;
      if (!(byte & 0x80)) return value;
    }
  }

  std::vector<u8> bytes_ = std::vector<u8>(1);
};

}  // namespace plait

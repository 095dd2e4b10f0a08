// Runs that were made, up to equivalence: is there one that a seed is a beginning of?
//
// A mark stands for an event together with all that happened before it. The marks of a seed tell which runs it can be
// the beginning of: those that have them all. 128 bits: two different ones do not meet.
#pragma once
#include <algorithm>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "exogenous/catalogue.h"

namespace plait::exogenous {

using Mark = u128;

inline u64 mixed(u64 x) {
  x ^= x >> 32, x *= 0xd6e8feb86659fd93u, x ^= x >> 32, x *= 0xd6e8feb86659fd93u;
  return x ^ x >> 32;
}

/// Of an event with this id behind events whose marks have this sum.
inline Mark mark_of(Symbol id, Mark sum) {
  const u64 low = mixed(static_cast<u64>(sum) + id * 0x9e3779b97f4a7c15u + 1);
  const u64 high = mixed(static_cast<u64>(sum >> 64) ^ mixed(low ^ 0xa0761d6478bd642fu) ^ (u64{id} << 32));
  return Mark{mixed(high + low)} << 64 | mixed(low ^ (high >> 7));
}

struct MarkHash {
  size_t operator()(Mark mark) const { return static_cast<size_t>(mark ^ mark >> 64); }
};

class Explored {
 public:
  /// The marks of a run. False if it is equivalent to one that is known.
  bool add(std::vector<Mark> marks) {
    if (covers(marks) && !runs_.empty()) {
      const Mark rarest = rarest_of(marks);
      for (const u32 run : runs_with_.at(rarest))
        if (runs_[run].size() == marks.size() && has_all(run, marks)) return false;
    }
    std::sort(marks.begin(), marks.end());
    for (const Mark mark : marks) runs_with_[mark].push_back(static_cast<u32>(runs_.size()));
    runs_.push_back(std::move(marks));
    return true;
  }

  /// Is there a run that begins with these, in some equivalent order?
  bool covers(std::span<const Mark> marks) const {
    if (marks.empty()) return !runs_.empty();
    for (const Mark mark : marks)
      if (!runs_with_.contains(mark)) return false;
    const std::vector<u32>& candidates = runs_with_.at(rarest_of(marks));
    return std::any_of(candidates.begin(), candidates.end(), [&](u32 run) { return has_all(run, marks); });
  }

  size_t size() const { return runs_.size(); }

 private:
  Mark rarest_of(std::span<const Mark> marks) const {
    return *std::min_element(marks.begin(), marks.end(),
                             [&](Mark a, Mark b) { return runs_with_.at(a).size() < runs_with_.at(b).size(); });
  }
  bool has_all(u32 run, std::span<const Mark> marks) const {
    return std::all_of(marks.begin(), marks.end(),
                       [&](Mark mark) { return std::binary_search(runs_[run].begin(), runs_[run].end(), mark); });
  }

  std::vector<std::vector<Mark>> runs_;
  std::unordered_map<Mark, std::vector<u32>, MarkHash> runs_with_;
};

}  // namespace plait::exogenous

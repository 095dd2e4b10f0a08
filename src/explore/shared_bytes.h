// Bytes that threads share, as a visibility has them: which events of a run that recorded everything count.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "run/visibility.h"

namespace plait {

class SharedBytes {
 public:
  explicit SharedBytes(const Visibility& visibility) {
    for (const Visibility::Range& range : visibility.shared)
      ranges_.emplace_back(range.begin, range.begin + range.size);
    std::sort(ranges_.begin(), ranges_.end());
    size_t kept = 0;  // neighbours and overlaps become one
    for (const auto& range : ranges_) {
      if (kept && range.first <= ranges_[kept - 1].second)
        ranges_[kept - 1].second = std::max(ranges_[kept - 1].second, range.second);
      else
        ranges_[kept++] = range;
    }
    ranges_.resize(kept);
  }
  bool operator()(u64 begin, u64 size) const {
    auto at = std::upper_bound(ranges_.begin(), ranges_.end(), std::pair{begin, ~u64{0}});
    if (at != ranges_.begin() && std::prev(at)->second > begin) return true;
    return at != ranges_.end() && at->first < begin + size;
  }
  bool has_all(u64 begin, u64 size) const {
    auto at = std::upper_bound(ranges_.begin(), ranges_.end(), std::pair{begin, ~u64{0}});
    return at != ranges_.begin() && std::prev(at)->second >= begin + size;
  }

 private:
  std::vector<std::pair<u64, u64>> ranges_;
};

}  // namespace plait

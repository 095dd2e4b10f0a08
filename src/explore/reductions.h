// Reductions of searches that can be turned off one by one, for tests and bench/reductions.py: PLAIT_WITHOUT names
// those that are not to be used, with commas between them.
#pragma once
#include <cstdlib>
#include <string_view>

namespace plait {

enum class Reduction { Blockers, Passing, Symmetry };

inline bool uses(Reduction reduction) {
  static constexpr std::string_view kNames[] = {"blockers", "passing", "symmetry"};
  const char* without = std::getenv("PLAIT_WITHOUT");
  return !without || std::string_view(without).find(kNames[static_cast<int>(reduction)]) == std::string_view::npos;
}

}  // namespace plait

#include "engine/appearance.h"

#include <fmt/core.h>

#include <set>
#include <utility>

#include "check/kinds.h"
#include "report/blocked.h"

namespace plait {

std::string appearance(const Bug& bug) {
  std::string key =
      fmt::format("{} {}:{}", kind_name(bug.failure->kind), bug.failure->place.file, bug.failure->place.line);
  if (bug.failure->kind == FailureKind::Race) {  // a race is its two accesses, whichever is named first
    std::string one = fmt::format(" {}:{}", bug.failure->place.file, bug.failure->place.line);
    std::string other = fmt::format(" {}:{}", bug.failure->other.file, bug.failure->other.line);
    if (other < one) std::swap(one, other);
    return one + other;
  }
  std::multiset<std::string> waits;
  for (const BlockedThread& b : blocked_threads(bug))
    if (b.core) waits.insert(fmt::format(" {}:{}", b.place.file, b.place.line));
  if (!waits.empty()) key = std::string(kind_name(bug.failure->kind));
  for (const std::string& wait : waits) key += wait;
  return key;
}

}  // namespace plait

#include "host/session_memory.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <tuple>

#include "base/error.h"

namespace plait {
namespace {

// The class map has a byte for each granule of a user address space, so that a worker can map the piece that belongs to
// an address without asking. Nothing is stored until a worker touches it.
constexpr size_t kClassMapSize = size_t{1} << 47;

template <class T>
T acquire(T& word) {
  return std::atomic_ref<T>(word).load(std::memory_order_acquire);
}

}  // namespace

SessionMemory::SessionMemory(const SessionOptions& options)
    : memory_("plait-session", sizeof(Session)), classes_(make_memory_file("plait-classes", kClassMapSize)) {
  Session& s = session();
  s.magic = kSessionMagic;
  s.version = kSessionVersion;
  s.options = options;
  s.identity[0] = Identity{kNoThread, 0, 0};
  s.identity_count = 1;
}

Visibility SessionMemory::visibility() {
  Session& s = session();
  Visibility result;
  result.memory_model = s.options.memory_model;
  result.strong.assign(s.strong, s.strong + s.strong_count);
  u32 identities = std::min(acquire(s.identity_count), kMaxThreads);
  result.identities.assign(s.identity, s.identity + identities);
  u32 ranges = std::min(acquire(s.shared_count), kMaxSharedRanges);
  for (u32 i = 0; i < ranges; ++i)
    if (acquire(s.shared[i].ready)) result.shared.push_back({s.shared[i].begin, s.shared[i].size});
  result.end_visible = acquire(s.end_visible) != 0;
  result.clock_matters = acquire(s.clock_matters) != 0;
  return result;
}

std::vector<Note> SessionMemory::notes() {
  Session& s = session();
  std::vector<Note> result;
  for (u32 i = 0; i < std::min(acquire(s.note_count), kMaxNotes); ++i)
    if (__atomic_load_n(&s.note[i].ready, __ATOMIC_ACQUIRE)) result.push_back(s.note[i]);
  const auto order = [](const Note& n) { return std::tuple(n.kind, n.site, n.other_site, n.thread, n.other); };
  std::sort(result.begin(), result.end(), [&](const Note& a, const Note& b) { return order(a) < order(b); });
  const auto same = [&](const Note& a, const Note& b) { return order(a) == order(b); };
  result.erase(std::unique(result.begin(), result.end(), same), result.end());
  return result;
}

void SessionMemory::require_no_leaks() {
  const char* leaked = session().leaked;
  if (leaked[0])
    throw Error(kExitInternal,
                fmt::format("a run has changed something that later runs see: {}. Their results cannot be trusted; "
                            "please report this, with the program's calls that change it",
                            leaked));
}

size_t SessionMemory::extent() {
  Session& s = session();
  return acquire(s.shared_count) + (acquire(s.end_visible) != 0) + (acquire(s.clock_matters) != 0);
}

void SessionMemory::teach(const Visibility& visibility) {
  Session& s = session();
  if (visibility.identities.size() > kMaxThreads || visibility.shared.size() > kMaxSharedRanges ||
      visibility.strong.size() > kMaxStrongStores)
    throw Error(kExitUsage, "the bug file is damaged: too many threads, shared ranges or stronger stores");
  s.options.memory_model = visibility.memory_model;
  std::copy(visibility.strong.begin(), visibility.strong.end(), s.strong);
  s.strong_count = static_cast<u32>(visibility.strong.size());
  std::copy(visibility.identities.begin(), visibility.identities.end(), s.identity);
  s.identity_count = std::max<u32>(1, static_cast<u32>(visibility.identities.size()));
  for (size_t i = 0; i < visibility.shared.size(); ++i)
    s.shared[i] = SharedRange{visibility.shared[i].begin, visibility.shared[i].size, 1};
  s.shared_count = static_cast<u32>(visibility.shared.size());
  s.end_visible = visibility.end_visible;
  s.clock_matters = visibility.clock_matters;
}

}  // namespace plait

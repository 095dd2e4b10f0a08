#include "host/session_memory.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <tuple>

#include "host/error.h"

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

Knowledge SessionMemory::knowledge() {
  Session& s = session();
  Knowledge result;
  u32 identities = std::min(acquire(s.identity_count), kMaxThreads);
  result.identities.assign(s.identity, s.identity + identities);
  u32 ranges = std::min(acquire(s.shared_count), kMaxSharedRanges);
  for (u32 i = 0; i < ranges; ++i)
    if (acquire(s.shared[i].ready)) result.shared.push_back({s.shared[i].begin, s.shared[i].size});
  result.end_visible = acquire(s.end_visible) != 0;
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
    throw Error(kExitInternal, fmt::format("a run has changed something that later runs see: {}. Their results cannot be trusted; "
                                           "please report this, with the program's calls that change it", leaked));
}

u32 SessionMemory::version() {
  Session& s = session();
  return acquire(s.shared_count) + (acquire(s.end_visible) != 0) + (acquire(s.clock_matters) != 0);
}

void SessionMemory::teach(const Knowledge& knowledge) {
  Session& s = session();
  if (knowledge.identities.size() > kMaxThreads || knowledge.shared.size() > kMaxSharedRanges)
    throw Error(kExitUsage, "the bug file is damaged: too many threads or shared ranges");
  std::copy(knowledge.identities.begin(), knowledge.identities.end(), s.identity);
  s.identity_count = std::max<u32>(1, static_cast<u32>(knowledge.identities.size()));
  for (size_t i = 0; i < knowledge.shared.size(); ++i)
    s.shared[i] = SharedRange{knowledge.shared[i].begin, knowledge.shared[i].size, 1};
  s.shared_count = static_cast<u32>(knowledge.shared.size());
  s.end_visible = knowledge.end_visible;
}

}  // namespace plait

#include "host/session_memory.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <tuple>

#include "base/error.h"

namespace plait {
namespace {

template <class T>
T acquire(T& word) {
  return std::atomic_ref<T>(word).load(std::memory_order_acquire);
}

/// True if it was `expected`.
bool replace(u32& word, u32 expected, u32 value) {
  return std::atomic_ref<u32>(word).compare_exchange_strong(expected, value);
}

void raise_to(u32& word, u32 value) {
  u32 now = acquire(word);
  while (now < value && !std::atomic_ref<u32>(word).compare_exchange_weak(now, value)) {
  }
}

using Range = Visibility::Range;

/// The bytes that the class map calls shared, in order.
std::vector<Range> shared_bytes_of(const ClassMap& classes) {
  std::vector<Range> found;
  for (const Touched& piece : classes.touched())
    if (piece.code == kSharedClass) found.push_back({piece.begin, piece.size});
  return found;
}

void log_shared(Session& session, u64 begin, u32 size) {
  if (!log_shared_range(session, begin, size, static_cast<u32>(getpid())))
    throw Error(kExitInconclusive, fmt::format("threads share more than {} pieces of memory", kMaxSharedRanges));
}

/// Those parts of `ranges` that `known` does not cover.
std::vector<Range> without(std::vector<Range> ranges, std::vector<Range> known) {
  const auto order = [](const Range& a, const Range& b) { return a.begin < b.begin; };
  std::sort(ranges.begin(), ranges.end(), order);
  std::sort(known.begin(), known.end(), order);
  std::vector<Range> rest;
  size_t next = 0;
  for (const Range& range : ranges) {
    u64 at = range.begin;
    const u64 end = range.begin + range.size;
    for (size_t i = next; i < known.size() && known[i].begin < end; ++i) {
      if (known[i].begin > at) rest.push_back({at, static_cast<u32>(known[i].begin - at)});
      at = std::max(at, known[i].begin + known[i].size);
      if (at < end) next = i;
    }
    if (at < end) rest.push_back({at, static_cast<u32>(end - at)});
  }
  return rest;
}

}  // namespace

SessionMemory::SessionMemory(const SessionOptions& options)
    : memory_("plait-session", kLabelsOffset + sizeof(LabelTables)) {
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
    if (acquire(s.shared[i].ready) == 1) result.shared.push_back({s.shared[i].begin, s.shared[i].size});
  result.clock_matters = acquire(s.clock_matters) != 0;
  result.counts_turns = acquire(s.counts_turns) != 0;
  if (labels().input_count)
    for (const InputVariable& input : labels().input)
      if (input.id && input.has_value) result.inputs.push_back(input);
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

void SessionMemory::mend(pid_t dead) {
  Session& s = session();
  const u32 process = static_cast<u32>(dead);
  replace(s.identity_lock, process, 0);  // what it protects is complete at every moment
  for (u32 i = 0; i < kMaxSharedRanges && (i < acquire(s.shared_count) || acquire(s.shared[i].ready) != 0); ++i) {
    if (acquire(s.shared[i].ready) == process) {
      s.shared[i].begin = s.shared[i].size = 0;  // nothing; what it was about to say follows
      replace(s.shared[i].ready, process, 1);
    }
    raise_to(s.shared_count, i + 1);
  }
  // A byte becomes shared in the class map first, and is told in the log after that.
  for (const Range& range : without(shared_bytes_of(classes_), visibility().shared))
    log_shared(s, range.begin, range.size);
}

bool SessionMemory::share_block_size(u64 block) {
  const Visibility::Range size{block - kBlockSizeOffset, 8};
  const std::vector<Visibility::Range> known = visibility().shared;
  if (std::find(known.begin(), known.end(), size) != known.end()) return false;
  log_shared(session(), size.begin, size.size);
  return true;
}

size_t SessionMemory::extent() {
  Session& s = session();
  return acquire(s.shared_count) + (acquire(s.clock_matters) != 0) + (acquire(s.counts_turns) != 0);
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
  s.clock_matters = visibility.clock_matters;
  s.counts_turns = visibility.counts_turns;
  if (visibility.inputs.size() > kInputVariables / 2)
    throw Error(kExitUsage, "the bug file is damaged: too many inputs");
  set_inputs(visibility.inputs);
}

void SessionMemory::add(const Visibility& more, u32 most_threads) {
  Session& s = session();
  const u32 self = static_cast<u32>(getpid());
  while (!replace(s.identity_lock, 0, self)) usleep(100);
  for (const Identity& identity : more.identities) {
    const auto same = [&](const Identity& known) {
      return known.parent == identity.parent && known.fork_index == identity.fork_index;
    };
    const u32 count = s.identity_count;
    if (count >= most_threads || std::any_of(s.identity, s.identity + count, same)) continue;
    s.identity[count] = identity;
    std::atomic_ref<u32>(s.identity_count).store(count + 1, std::memory_order_release);
  }
  std::atomic_ref<u32>(s.identity_lock).store(0, std::memory_order_release);
  for (const Range& range : without(more.shared, visibility().shared)) log_shared(s, range.begin, range.size);
  if (more.clock_matters) raise_to(s.clock_matters, 1);
  if (more.counts_turns) raise_to(s.counts_turns, 1);
}

void SessionMemory::add(const std::vector<Touched>& more) {
  classes_.add(more, [&](u64 begin, u32 size) {
    for (const Range& range : without({{begin, size}}, visibility().shared))
      log_shared(session(), range.begin, range.size);
  });
}

void SessionMemory::add(const std::vector<Note>& more) {
  Session& s = session();
  const auto fields = [](const Note& n) { return std::tuple(n.kind, n.site, n.other_site, n.thread, n.other); };
  std::vector<Note> known = notes();
  for (Note note : more) {
    if (std::any_of(known.begin(), known.end(), [&](const Note& k) { return fields(k) == fields(note); })) continue;
    const u32 slot = std::atomic_ref<u32>(s.note_count).fetch_add(1);
    if (slot >= kMaxNotes) return;
    note.ready = 0;
    s.note[slot] = note;
    __atomic_store_n(&s.note[slot].ready, u8{1}, __ATOMIC_RELEASE);
    known.push_back(note);
  }
}

void SessionMemory::set_inputs(const std::vector<InputVariable>& values) {
  LabelTables& tables = labels();
  const u32 enabled = tables.enabled, round = tables.round + 1;
  NamedInput named[kNamedInputs];
  const u32 named_count = tables.named_count;
  std::copy_n(tables.named, kNamedInputs, named);
  // As large as they are, hardly any of their pages were ever touched.
  memory_.clear(kLabelsOffset, sizeof(LabelTables));
  tables.enabled = enabled;
  tables.round = round;
  tables.named_count = named_count;
  std::copy_n(named, kNamedInputs, tables.named);
  tables.given = !values.empty() || named_count;
  for (const InputVariable& value : values) {
    u64 at = value.id;
    while (tables.input[at % kInputVariables].id) ++at;
    InputVariable& slot = tables.input[at % kInputVariables];
    slot = value;
    slot.has_value = 1;
    slot.ready = 0;
    ++tables.input_count;
  }
}

std::vector<InputVariable> SessionMemory::taken_inputs() {
  std::vector<InputVariable> taken;
  if (labels().input_count == 0) return taken;
  for (const InputVariable& input : labels().input)
    if (input.id && input.ready) {
      taken.push_back(input);
      if (!input.has_value) taken.back().value = input.low;
      taken.back().has_value = 1;
    }
  std::sort(taken.begin(), taken.end(), [](const InputVariable& a, const InputVariable& b) {
    return std::tuple(a.thread, a.index, a.id) < std::tuple(b.thread, b.index, b.id);
  });
  return taken;
}

}  // namespace plait

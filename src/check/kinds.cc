#include "check/kinds.h"

#include <algorithm>
#include <stdexcept>

namespace plait {
namespace {

struct Kind {
  FailureKind kind;
  std::string_view name, title;
  bool bug;
};

constexpr Kind kKinds[] = {
    {FailureKind::None, "none", "no failure", false},
    {FailureKind::Assertion, "assertion", "assertion failed", true},
    {FailureKind::Abort, "abort", "the program aborted", true},
    {FailureKind::Exception, "uncaught-exception", "uncaught exception", true},
    {FailureKind::Crash, "crash", "crash", true},
    {FailureKind::NullDereference, "null-dereference", "null pointer dereferenced", true},
    {FailureKind::UseAfterFree, "use-after-free", "memory used after it was freed", true},
    {FailureKind::UseAfterScope, "use-after-scope", "local variable used after its end", true},
    {FailureKind::DoubleFree, "double-free", "memory freed twice", true},
    {FailureKind::InvalidFree, "invalid-free", "free of something that was not allocated", true},
    {FailureKind::HeapOverflow, "heap-overflow", "access outside of a heap block", true},
    {FailureKind::OutOfBounds, "out-of-bounds", "access outside of a variable", true},
    {FailureKind::UninitialisedRead, "uninitialised-read", "memory used before it was written", true},
    {FailureKind::StackOverflow, "stack-overflow", "stack overflow", true},
    {FailureKind::Deadlock, "deadlock", "deadlock", true},
    {FailureKind::LockMisuse, "lock-misuse", "misuse of a lock", true},
    {FailureKind::ExitWithThreads, "exit-with-threads", "the program ended while threads still ran", true},
    {FailureKind::InfiniteLoop, "infinite-loop", "endless loop", true},
    {FailureKind::Livelock, "livelock", "livelock", true},
    {FailureKind::Race, "race", "data race", true},
    {FailureKind::Unsupported, "unsupported", "not supported by Plait", false},
    {FailureKind::Divergence, "divergence", "the program did not follow the schedule", false},
    {FailureKind::OutOfResources, "out-of-resources", "too large for Plait", false},
};

constexpr std::string_view kAll = "all", kStandard = "standard";

u64 bit_of(FailureKind kind) { return u64{1} << static_cast<unsigned>(kind); }

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

const Kind& find(FailureKind kind) {
  for (const Kind& k : kKinds)
    if (k.kind == kind) return k;
  return kKinds[0];
}

}  // namespace

std::string_view kind_name(FailureKind kind) { return find(kind).name; }
std::string_view kind_title(FailureKind kind) { return find(kind).title; }
bool is_bug(FailureKind kind) { return find(kind).bug; }

bool may_go_on(FailureKind kind) {
  switch (kind) {
    case FailureKind::UseAfterFree:
    case FailureKind::UseAfterScope:
    case FailureKind::DoubleFree:
    case FailureKind::InvalidFree:
    case FailureKind::HeapOverflow:
    case FailureKind::OutOfBounds:
    case FailureKind::UninitialisedRead:
    case FailureKind::LockMisuse: return true;
    default: return false;
  }
}

std::optional<FailureKind> kind_from_name(std::string_view name) {
  for (const Kind& k : kKinds)
    if (k.name == name) return k.kind;
  return std::nullopt;
}

KindSet KindSet::all() {
  u64 bits = 0;
  for (const Kind& k : kKinds)
    if (k.bug) bits |= bit_of(k.kind);
  return KindSet(bits);
}

KindSet KindSet::standard() {
  KindSet set = all();
  set.remove(KindSet(bit_of(FailureKind::ExitWithThreads)));
  return set;
}

KindSet KindSet::parse(const std::string& list) {
  KindSet set = none();
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    const std::string name = list.substr(begin, end - begin);
    begin = end + 1;
    const std::optional<FailureKind> kind = kind_from_name(name);
    if (name == kAll)
      set.add(all());
    else if (name == kStandard)
      set.add(standard());
    else if (kind && is_bug(*kind))
      set.add(KindSet(bit_of(*kind)));
    else
      throw std::invalid_argument("'" + name + "' is no kind of bug: " + joined(kind_choices()));
  }
  return set;
}

std::vector<std::string> KindSet::names() const {
  std::vector<std::string> names;
  for (const Kind& k : kKinds)
    if (contains(k.kind)) names.emplace_back(k.name);
  return names;
}

std::vector<std::string> kind_choices() {
  std::vector<std::string> names = KindSet::all().names();
  names.emplace_back(kAll);
  names.emplace_back(kStandard);
  return names;
}

std::string checked_text(const KindSet& set) {
  KindSet others = KindSet::all();
  others.remove(set);
  const std::vector<std::string> names = set.names(), left = others.names();
  if (left.empty()) return "all kinds of bugs";
  if (names.empty()) return "nothing";
  return left.size() < names.size() ? "all kinds of bugs but " + joined(left) : joined(names);
}

}  // namespace plait

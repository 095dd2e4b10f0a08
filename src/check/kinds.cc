#include "check/kinds.h"

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
    {FailureKind::DoubleFree, "double-free", "memory freed twice", true},
    {FailureKind::InvalidFree, "invalid-free", "free of something that was not allocated", true},
    {FailureKind::HeapOverflow, "heap-overflow", "access outside of a heap block", true},
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

const Kind& find(FailureKind kind) {
  for (const Kind& k : kKinds)
    if (k.kind == kind) return k;
  return kKinds[0];
}

}  // namespace

std::string_view kind_name(FailureKind kind) { return find(kind).name; }
std::string_view kind_title(FailureKind kind) { return find(kind).title; }
bool is_bug(FailureKind kind) { return find(kind).bug; }

std::optional<FailureKind> kind_from_name(std::string_view name) {
  for (const Kind& k : kKinds)
    if (k.name == name) return k.kind;
  return std::nullopt;
}

}  // namespace plait

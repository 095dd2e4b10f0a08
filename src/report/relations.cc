#include "report/relations.h"

#include <algorithm>
#include <map>
#include <set>

#include "machine/traits.h"
#include "machine/value.h"
#include "report/buffers.h"

namespace plait {
namespace {

bool cas_succeeds(const Event& e) { return machine::truncate(e.value, e.size) == machine::truncate(e.extra, e.size); }

bool writes(const Event& e) {
  return e.op == Op::Store || e.op == Op::Flush || e.op == Op::Rmw || (e.op == Op::Cas && cas_succeeds(e));
}

/// Lets others take the object at `location`.
bool releases(Op op) {
  switch (op) {
    case Op::SemPost:
    case Op::OnceLeave:
    case Op::BarrierArrive: return true;
    default: return machine::traits(op).hold == machine::Hold::Gives;
  }
}

bool takes(const Event& e) {
  switch (e.op) {
    case Op::SemWait:
    case Op::OnceEnter:
    case Op::BarrierLeave: return true;
    case Op::SemTryWait:
    case Op::SemTimedWait: return e.value == 0;
    default: {
      const machine::HoldChange change = machine::hold_change(e.op, e.value);
      return change.kind == machine::HoldChange::Takes && !change.of_second;
    }
  }
}

class Finder {
 public:
  explicit Finder(const Bug& bug) : bug_(bug), buffers_(bug) {}

  std::vector<Relation> run() {
    for (size_t i = 0; i < bug_.events.size(); ++i) {
      const Event& e = bug_.events[i].raw;
      if (e.flags & event_flag::kPending) continue;
      memory(i, e);
      objects(i, e);
      threads(i, e);
    }
    return std::move(found_);
  }

 private:
  void add(size_t from, size_t to, RelationKind kind) { found_.push_back({from, to, kind}); }

  void memory(size_t i, const Event& e) {
    if (machine::is_read(e.op)) {
      std::set<size_t> seen;
      const std::vector<size_t>& own = buffers_.forwarded(i);
      for (u64 b = 0; b < e.size; ++b)
        if (b < own.size() && own[b] != Buffers::kNone)
          seen.insert(own[b]);
        else if (auto writer = writers_.find(e.location + b); writer != writers_.end())
          seen.insert(writer->second);
      for (size_t writer : seen) add(writer, i, RelationKind::ReadsFrom);
    }
    if (e.op == Op::Flush && buffers_.partner(i) != Buffers::kNone) add(buffers_.partner(i), i, RelationKind::Flush);
    if (writes(e) && buffers_.changes_memory(i))
      for (u64 b = 0; b < e.size; ++b) writers_[e.location + b] = i;
  }

  void objects(size_t i, const Event& e) {
    if (takes(e)) last(released_, e.location, i, RelationKind::Lock);
    if (releases(e.op)) released_[e.location] = i;
    if (e.op == Op::CondWait) {
      released_[e.operand] = i;  // waiting gives the mutex back
      mutex_of_wait_[e.thread] = e.operand;
    }
    if (e.op == Op::Signal || e.op == Op::FutexNotify || e.op == Op::Broadcast) notified_[e.location] = i;
    if ((e.op == Op::CondWake || e.op == Op::FutexWake) && e.value == 0) {
      last(notified_, e.location, i, RelationKind::Wake);
      // Waking up takes the mutex.
      if (e.op == Op::CondWake) last(released_, mutex_of_wait_[e.thread], i, RelationKind::Lock);
    }
  }

  void threads(size_t i, const Event& e) {
    if (e.op == Op::Fork) forked_[e.location] = i;
    if (e.op == Op::Begin) last(forked_, e.thread, i, RelationKind::Thread);
    if (e.op == Op::End) ended_[e.thread] = i;
    if (e.op == Op::Join) last(ended_, e.location, i, RelationKind::Thread);
  }

  void last(const std::map<u64, size_t>& events, u64 key, size_t to, RelationKind kind) {
    if (auto found = events.find(key); found != events.end()) add(found->second, to, kind);
  }

  const Bug& bug_;
  const Buffers buffers_;
  std::map<u64, size_t> writers_;  // by byte
  std::map<u64, size_t> released_, notified_, forked_, ended_;
  std::map<u64, u64> mutex_of_wait_;
  std::vector<Relation> found_;
};

}  // namespace

std::vector<Relation> relations(const Bug& bug) { return Finder(bug).run(); }

std::string_view relation_name(RelationKind kind) {
  switch (kind) {
    case RelationKind::ReadsFrom: return "reads-from";
    case RelationKind::Lock: return "lock";
    case RelationKind::Wake: return "wake";
    case RelationKind::Thread: return "thread";
    case RelationKind::Flush: return "flush";
  }
  return "";
}

std::optional<u64> value_after(const Event& e) {
  if (e.size == 0 || e.size > 8 || (e.flags & event_flag::kPending)) return std::nullopt;
  switch (e.op) {
    case Op::Load: return e.value;
    case Op::Store:
    case Op::Flush: return e.operand;
    case Op::Cas: return cas_succeeds(e) ? e.operand : e.value;
    case Op::Rmw: return machine::rmw<u64>(static_cast<RmwKind>(e.detail), e.size, e.value, e.operand);
    default: return std::nullopt;
  }
}

}  // namespace plait

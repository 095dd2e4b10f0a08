#include "explore/causal_order.h"

#include <algorithm>

namespace plait {
namespace {

void join(Clock& clock, const Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size(), 0);
  for (size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

bool covers(const Clock& clock, const TraceItem& item) {
  return item.chain < clock.size() && clock[item.chain] >= item.ordinal;
}

constexpr u32 kNoStep = ~0u;  // the ordinal of what is no step

/// Free steps are no choices: nobody can see when they happen.
bool can_depend(const TraceItem& item) { return item.is_point() || (item.is_pending() && !item.is_held_up); }

bool dependent(const TraceItem& a, const TraceItem& b) {
  return machine::dependent(a.event.thread, a.operation, b.event.thread, b.operation);
}

/// Scheduling points whose steps run code that nobody sees: all that happens until the next point belongs to the step,
/// whoever does it.
std::vector<bool> unseen_steps(std::span<const Event> events) {
  std::vector<bool> found(events.size());
  size_t step = events.size();  // none yet
  for (size_t i = 0; i < events.size(); ++i) {
    if (events[i].flags & event_flag::kPoint) step = i;
    if ((events[i].flags & event_flag::kUnseen) && step < events.size()) found[step] = true;
  }
  return found;
}

}  // namespace

u32 Operations::number(u64 key) {
  return numbers_.try_emplace(key, static_cast<u32>(numbers_.size()) + 1).first->second;
}

machine::Operation Operations::of(const Event& event) {
  machine::Operation operation = machine::operation_of(event);
  const machine::ObjectKeys keys = machine::object_keys(event);
  if (keys.first) operation.object = number(keys.first);
  if (keys.second) operation.object2 = number(keys.second);
  return operation;
}

void Operations::renumber(ThreadId thread, machine::Operation& operation) {
  const machine::ObjectKeys keys = machine::object_keys(operation.op, thread, operation.location, operation.operand);
  operation.object = keys.first ? number(keys.first) : 0;
  operation.object2 = keys.second ? number(keys.second) : 0;
}

bool comes_first(const TraceItem& early, const TraceItem& late) {
  return covers(late.before, early) || dependent(early, late);
}

u32 CausalOrder::chain_of_flush(const TraceItem& item) const {
  size_t chain = 0;
  while (chain < flush_chains_.size() && !covers(item.before, items_[flush_chains_[chain]])) ++chain;
  return static_cast<u32>(kFirstBuffer + chain);
}

void CausalOrder::join_dependent(TraceItem& item) {
  for (size_t k = static_cast<size_t>(&item - items_.data()); k-- > 0;) {
    const TraceItem& other = items_[k];
    if (!can_depend(other) || other.is_pending() || covers(item.after, other)) continue;
    if (dependent(other, item)) join(item.after, other.after);
  }
}

TraceItem& CausalOrder::add_item(const Event& event, bool unseen) {
  TraceItem& item = items_.emplace_back();
  item.event = event;
  item.operation = operations_.of(event);
  item.operation.unseen = unseen;
  return item;
}

void CausalOrder::append(std::span<const Event> events, size_t from) {
  // What each thread has done so far, the ends of threads, and the clocks that children start with.
  Clock last[kMaxThreads];
  Clock first[kMaxThreads];
  StoreOrder stores(memory_);
  flush_chains_.clear();
  const auto note = [&](size_t number) {
    const TraceItem& item = items_[number];
    if (item.event.op == Op::Fork) first[item.event.location] = item.after;
    if (item.event.op != Op::Flush) {
      last[item.event.thread] = item.after;
      return;
    }
    const size_t chain = item.chain - kFirstBuffer;
    if (flush_chains_.size() <= chain) flush_chains_.resize(chain + 1);
    flush_chains_[chain] = number;
  };
  const auto place = [&](TraceItem& item) {
    item.chain = item.event.op == Op::Flush ? chain_of_flush(item) : item.event.thread;
    item.after = item.before;
    if (can_depend(item)) join_dependent(item);
    if (item.after.size() <= item.chain) item.after.resize(item.chain + 1u, 0);
    item.ordinal = ++item.after[item.chain];
  };
  for (size_t i = 0; i < items_.size(); ++i) {
    stores.next(items_[i].event, i);
    if (items_[i].ordinal != kNoStep) note(i);
  }
  const std::vector<bool> unseen = unseen_steps(events);
  for (size_t i = from; i < events.size(); ++i) {
    const Event& event = events[i];
    TraceItem& item = add_item(event, unseen[i]);
    const std::vector<size_t> waited_for = stores.next(event, i);
    if (event.op == Op::Extension || event.op == Op::Initial) {  // no steps of their own
      item.ordinal = kNoStep;
      continue;
    }
    item.before = last[event.thread];
    if (event.op == Op::Begin) join(item.before, first[event.thread]);
    if (event.op == Op::Join && !item.is_pending()) join(item.before, last[event.location]);
    for (const size_t other : waited_for) join(item.before, items_[other].after);
    const bool drains = memory_.drains(event.op, event.order) && stores.holds_stores(event.thread);
    item.is_held_up = item.is_pending() && (drains || event.op == Op::Assume);  // which never happens
    place(item);
    if (!item.is_pending()) note(i);
  }
  for (const StoreOrder::Flushable& flushable : stores.flushable()) {
    TraceItem item;
    item.event = items_[flushable.store].event;
    item.event.op = Op::Flush;
    item.event.thread = buffer_of(item.event.thread);
    item.event.flags = event_flag::kPending;
    item.event.extra = item.event.arg = 0;
    item.operation = operations_.of(item.event);
    for (const size_t other : flushable.after) join(item.before, items_[other].after);
    place(items_.emplace_back(std::move(item)));
  }
  was_full_ |= stores.was_full();
}

bool CausalOrder::waits_for(size_t late, size_t early) const {
  for (size_t k = early; k < late; ++k)
    if (items_[k].ordinal != kNoStep && !items_[k].is_pending() && covers(items_[late].before, items_[k])) return true;
  return false;
}

std::vector<size_t> CausalOrder::reversible(size_t late, Which which) const {
  std::vector<size_t> found;
  const TraceItem& item = items_[late];
  if (!can_depend(item)) return found;
  Clock seen = item.before;
  // Whoever waits for a lock is held up by the end of the critical section, but comes too late for its beginning: for
  // operations that can block, and everybody in front of an atomic section, the nearest event is not the one to be
  // reversed.
  const bool all = which == Which::All || machine::can_block(item.event.op);
  for (size_t k = late; k-- > 0;) {
    const TraceItem& other = items_[k];
    if (!can_depend(other) || other.is_pending() || other.event.thread == item.event.thread ||
        covers(item.before, other))
      continue;
    if (!dependent(other, item)) continue;
    if (all || other.event.op == Op::AtomicBegin || !covers(seen, other)) found.push_back(k);
    join(seen, other.after);
  }
  return found;
}

bool CausalOrder::inside_atomic_section(size_t index) const {
  const Event& event = items_[index].event;
  const ThreadId thread = event.op == Op::Flush ? owner_of(event.thread) : event.thread;
  for (size_t k = index; k-- > 0;) {
    if (items_[k].event.thread != thread) continue;
    if (items_[k].event.op == Op::AtomicEnd) return false;
    if (items_[k].event.op == Op::AtomicBegin) return true;
  }
  return false;
}

bool CausalOrder::possible_before(size_t late, size_t early) const {
  if (inside_atomic_section(early)) return false;
  const TraceItem& item = items_[late];
  if (!machine::can_block(item.event.op)) return true;
  std::vector<machine::Object> objects(operations_.objects() + 1);
  machine::SyncState state{objects.data(), 0};
  for (size_t k = 0; k < late; ++k) {
    const TraceItem& other = items_[k];
    const Event& event = other.event;
    if (event.op == Op::Initial) {
      if (const u32 number = operations_.find(event.location)) objects[number] = machine::initial_object(event);
      continue;
    }
    if (other.is_pending() || !machine::is_sync(event.op) || (k >= early && (k == early || happens_before(early, k))))
      continue;
    machine::Operation operation = other.operation;
    if (event.op == Op::FutexWait) operation.extra = event.value ? ~operation.operand : operation.operand;
    machine::perform(state, event.thread, operation, event.arg);
    objects[operation.object].life = 0;  // who uses it later in the trace has found it alive again
  }
  return machine::enabled(state, item.event.thread, item.operation);
}

std::vector<size_t> CausalOrder::independent_of(size_t early, size_t late) const {
  std::vector<size_t> found;
  for (size_t k = early + 1; k < late; ++k)
    if (items_[k].is_point() && !happens_before(early, k)) found.push_back(k);
  return found;
}

}  // namespace plait

// What happens after a given access, in the sense of C and C++ (happens-before)? One bit for each thing that can know
// of the access: threads, values in memory, synchronisation objects. A conflicting access of a thread that does not
// know of it is a data race, even if no schedule puts the two side by side: a relaxed flag orders nothing.
//
// Where standards and implementations differ, the rules take the side that orders more, so that a race is one by every
// reading: stores of the same thread go on with a release sequence (C++11 to C++17); a failed try-lock has seen what
// its owner did before it took the lock; a signal, like POSIX wants it, is ordered before the wake-up.
#pragma once
#include "machine/operation.h"

namespace plait::machine {

/// What a thread knows.
namespace knows {
inline constexpr u8 kAccess = 1;  // what it does next happens after the access
inline constexpr u8 kFence = 2;   // it did so at its last release fence: relaxed stores hand it on
inline constexpr u8 kRead = 4;    // it has read, relaxed, what hands it on: the next acquire fence makes it known
}  // namespace knows

constexpr bool acquires(Order order) { return order == Order::Acquire || order >= Order::AcqRel; }
constexpr bool releases(Order order) { return order >= Order::Release; }

/// The order in which a compare-and-swap that fails reads: its detail.
constexpr Order failure_order(const Operation& cas) { return static_cast<Order>(cas.detail); }

/// Does it hand on less than its place in an interleaving suggests? Without such operations two accesses that nothing
/// orders can be put side by side.
constexpr bool orders_less(const Operation& operation) {
  switch (operation.op) {
    case Op::Load: return operation.order == Order::Relaxed;
    case Op::Store: return operation.order == Order::Relaxed;
    case Op::Rmw: return operation.order < Order::AcqRel;
    case Op::Cas: return operation.order < Order::AcqRel || !acquires(failure_order(operation));
    default: return false;
  }
}

struct Exchange {
  bool takes = false, gives = false;  // what is known through the object
};
constexpr Exchange exchange_of(Op op) {
  switch (op) {
    case Op::Lock:
    case Op::TryLock:
    case Op::TimedLock:
    case Op::Reacquire:
    case Op::WriteLock:
    case Op::TryWriteLock:
    case Op::TimedWriteLock:
    case Op::CondWait:
    case Op::CondWake: return {true, true};
    case Op::ReadLock:
    case Op::TryReadLock:
    case Op::TimedReadLock:
    case Op::SemWait:
    case Op::SemTryWait:
    case Op::SemTimedWait:
    case Op::SemValue:
    case Op::BarrierLeave:
    case Op::OnceEnter: return {true, false};
    case Op::Unlock:
    case Op::RwUnlock:
    case Op::Signal:
    case Op::Broadcast:
    case Op::SemPost:
    case Op::BarrierArrive:
    case Op::OnceLeave: return {false, true};
    default: return {};
  }
}

/// One more step of a run behind the access. View:
///   u8& thread(ThreadId)                             what the thread knows
///   bool message(const Operation&)                   does the value in memory hand it on?
///   bool continues(ThreadId, const Operation&)       ... and did this thread store it, or what it was made from?
///   void write(ThreadId, const Operation&, bool hands_on, bool is_update)
///   u8& object(u64 key), u8& section()               objects; atomic sections
template <class View>
void step_behind(View& view, ThreadId thread, const Operation& operation, u64 result) {
  u8& own = view.thread(thread);
  const auto read = [&](Order order) {
    if (order <= Order::Volatile || !view.message(operation)) return;
    own |= acquires(order) ? knows::kAccess : knows::kRead;
  };
  const auto hands_on = [&](Order order) {
    if (order <= Order::Volatile) return false;
    return (own & (releases(order) ? knows::kAccess | knows::kFence : knows::kFence)) != 0;
  };
  const auto update = [&] {
    const bool before = view.message(operation);
    read(operation.order);
    view.write(thread, operation, before || hands_on(operation.order), true);
  };
  switch (operation.op) {
    case Op::Load: return read(operation.order);
    case Op::Store: {
      const bool goes_on = operation.order == Order::Relaxed && view.continues(thread, operation);
      return view.write(thread, operation, goes_on || hands_on(operation.order), false);
    }
    case Op::Rmw: return update();
    case Op::Cas: return result == operation.extra ? update() : read(failure_order(operation));
    case Op::Fence:
      if (operation.detail == kOnlyDrains) return;
      if (acquires(operation.order) && (own & knows::kRead)) own |= knows::kAccess;
      if (releases(operation.order) && (own & knows::kAccess)) own |= knows::kFence;
      return;
    case Op::Fork: view.thread(static_cast<ThreadId>(operation.location)) = own & knows::kAccess; return;
    case Op::Join: own |= view.thread(static_cast<ThreadId>(operation.location)) & knows::kAccess; return;
    case Op::AtomicBegin: own |= view.section() & knows::kAccess; return;
    case Op::AtomicEnd: view.section() |= own & knows::kAccess; return;
    default: break;
  }
  const Exchange exchange = exchange_of(operation.op);
  const bool failed = result != 0 && traits(operation.op).hold != Hold::None;
  const ObjectKeys keys = object_keys(operation.op, thread, operation.location, operation.operand);
  const u64 objects[] = {keys.first, traits(operation.op).second == Second::Mutex ? keys.second : 0};
  for (const u64 key : objects) {
    if (!key) continue;
    if (exchange.takes) own |= view.object(key) & knows::kAccess;
    if (exchange.gives && !failed) view.object(key) |= own & knows::kAccess;
  }
}

}  // namespace plait::machine

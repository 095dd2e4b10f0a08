// What happens after an access, in the sense of C and C++ (happens-before)? Threads, values in memory and
// synchronisation objects know of accesses. A conflicting access of a thread that does not know of it is a data race,
// even if no schedule puts the two side by side: a relaxed flag orders nothing. What is known is one bit where one
// access is looked at (BitsOfOneAccess), and a vector clock where all are (explore/run_races.cc).
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
    case Op::CondWake:
    case Op::BarrierArrive: return {true, true};  // who arrives last does not wait: it knows of the others at once
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
    case Op::OnceLeave: return {false, true};
    default: return {};
  }
}

/// What a store leaves of the release sequence that it finds in memory.
enum class Keeps : u8 {
  Nothing,
  Own,  // what this thread has begun
  All,  // it is an update
};

/// What an atomic store of this order hands on of what its thread knows: a part of `knows`.
constexpr u8 handed_on_by(Order order) { return releases(order) ? knows::kAccess : knows::kFence; }

/// One more step of a run. View:
///   Known                                            what is known: one bit, or how far each thread is known
///   Known known(ThreadId, u8 part)                   of a thread; `part` is one of `knows`
///   void learn(ThreadId, u8 part, Known)             ... and this, too
///   void begin(ThreadId, Known)                      a thread begins with that
///   Known message(const Operation&)                  what the value in memory hands on
///   void write(ThreadId, const Operation&, Known hands_on, Keeps)
///   Known object(u64 key), void learn_object(u64 key, Known)
///   Known section(), void learn_section(Known)       atomic sections
template <class View>
void step_behind(View& view, ThreadId thread, const Operation& operation, u64 result) {
  using Known = typename View::Known;
  const auto read = [&](Order order) {
    if (order > Order::Volatile)
      view.learn(thread, acquires(order) ? knows::kAccess : knows::kRead, view.message(operation));
  };
  const auto hands_on = [&] {
    if (operation.order <= Order::Volatile) return Known{};
    return Known(view.known(thread, handed_on_by(operation.order)));
  };
  const auto update = [&] {
    read(operation.order);
    view.write(thread, operation, hands_on(), Keeps::All);
  };
  switch (operation.op) {
    case Op::Load: return read(operation.order);
    case Op::Store:
      return view.write(thread, operation, hands_on(), operation.order == Order::Relaxed ? Keeps::Own : Keeps::Nothing);
    case Op::Rmw: return update();
    case Op::Cas: return result == operation.extra ? update() : read(failure_order(operation));
    case Op::Fence:
      if (operation.detail == kOnlyDrains) return;
      if (acquires(operation.order)) view.learn(thread, knows::kAccess, view.known(thread, knows::kRead));
      if (releases(operation.order)) view.learn(thread, knows::kFence, view.known(thread, knows::kAccess));
      return;
    case Op::Fork: return view.begin(static_cast<ThreadId>(operation.location), view.known(thread, knows::kAccess));
    case Op::Join:
      return view.learn(thread, knows::kAccess, view.known(static_cast<ThreadId>(operation.location), knows::kAccess));
    case Op::AtomicBegin: return view.learn(thread, knows::kAccess, view.section());
    case Op::AtomicEnd: return view.learn_section(view.known(thread, knows::kAccess));
    default: break;
  }
  const Exchange exchange = exchange_of(operation.op);
  const bool failed = result != 0 && traits(operation.op).hold != Hold::None;
  const ObjectKeys keys = object_keys(operation.op, thread, operation.location, operation.operand);
  const u64 objects[] = {keys.first, traits(operation.op).second == Second::Mutex ? keys.second : 0};
  for (const u64 key : objects) {
    if (!key) continue;
    if (exchange.takes) view.learn(thread, knows::kAccess, view.object(key));
    if (exchange.gives && !failed) view.learn_object(key, view.known(thread, knows::kAccess));
  }
}

/// Of one access: does the value at a place in memory hand it on, and who began the release sequence (times two)?
/// The place of a byte or a cell of them, one byte large.
constexpr bool hands_on_at(u8 place) { return (place & 1) != 0; }
constexpr u8 written_at(u8 place, ThreadId thread, bool hands_on, Keeps keeps) {
  const u8 own = static_cast<u8>(2 * (thread + 1) | 1);
  if (keeps == Keeps::All && hands_on_at(place)) return place;
  if (keeps == Keeps::Own && place == own) return place;
  return hands_on ? own : u8{0};
}

/// The parts of a view that has one bit for everything; `Storage` gives the bytes:
///   u8& thread_bits(ThreadId), u8& object_bits(u64 key), u8& section_bits()
template <class Storage>
struct BitsOfOneAccess {
  using Known = bool;
  bool known(ThreadId thread, u8 part) { return (bytes().thread_bits(thread) & part) != 0; }
  void learn(ThreadId thread, u8 part, bool is_known) {
    if (is_known) bytes().thread_bits(thread) |= part;
  }
  void begin(ThreadId thread, bool is_known) { bytes().thread_bits(thread) = is_known ? knows::kAccess : u8{0}; }
  bool object(u64 key) { return bytes().object_bits(key) != 0; }
  void learn_object(u64 key, bool is_known) {
    if (is_known) bytes().object_bits(key) = knows::kAccess;
  }
  bool section() { return bytes().section_bits() != 0; }
  void learn_section(bool is_known) {
    if (is_known) bytes().section_bits() = knows::kAccess;
  }

 private:
  Storage& bytes() { return static_cast<Storage&>(*this); }
};

}  // namespace plait::machine

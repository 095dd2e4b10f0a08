// The one table of operations: what each of them touches, returns, waits for, takes and gives back. Whoever asks such a
// question about an operation asks here.
#pragma once
#include "trace/event.h"

namespace plait::machine {

/// What the thread receives.
enum class Result : u8 {
  Nothing,
  Fixed,         // something that its own history decides, such as the 0 of a lock that it got
  Open,          // others decide it: the thread goes on in different ways
  OpenIfDetail,  // the same, if the operation's detail is not 0 (a wait that may time out, a join that asks for the
                 // result)
};

/// The bytes of memory that it touches, from its location on.
enum class Bytes : u8 {
  None,
  Own /* its size */,
  Block /* of a heap block, or of the memory read into */,
  Word /* a futex */
};

/// The kind of synchronisation object at its location.
enum class ObjectKind : u8 { None, Mutex, RwLock, Condition, Semaphore, Barrier, Once, Futex };

/// A second object that it needs.
enum class Second : u8 {
  None,
  Mutex /* of a wait: its operand */,
  Holds /* of a reader: how often this thread has the lock */
};

/// What happens to a lock.
enum class Hold : u8 {
  None,
  Takes,
  TakesIfZero,     // if its result is 0
  Gives,           // if its result is 0
  GivesMutex,      // a wait: the second object
  TakesMutexBack,  // the end of a wait: likewise, if its result is 0
};

struct Traits {
  Op op;
  Result result = Result::Fixed;
  Bytes bytes = Bytes::None;
  bool writes = false;  // these bytes
  bool reads = false;   // likewise
  ObjectKind object = ObjectKind::None;
  Second second = Second::None;
  Hold hold = Hold::None;
  bool shares = false;   // several threads can hold the lock in this way
  bool blocks = false;   // it can have to wait; all others are always enabled
  bool chooses = false;  // there may be several ways to perform it (Event::extra says which)
  bool destroys = false;
  bool drains = false;  // only with an empty store buffer. Stores and fences: memory_model.h
};

namespace table {

constexpr Traits mutex(Op op, Result result, Hold hold, bool blocks = false) {
  return {.op = op, .result = result, .object = ObjectKind::Mutex, .hold = hold, .blocks = blocks, .drains = true};
}
constexpr Traits rwlock(Op op, Result result, Hold hold, bool shares, bool blocks = false) {
  return {.op = op,
          .result = result,
          .object = ObjectKind::RwLock,
          .second = Second::Holds,
          .hold = hold,
          .shares = shares,
          .blocks = blocks,
          .drains = true};
}
constexpr Traits on(ObjectKind object, Op op, Result result = Result::Fixed, bool blocks = false) {
  return {.op = op, .result = result, .object = object, .blocks = blocks, .drains = true};
}
constexpr Traits destroy(ObjectKind object, Op op) {
  return {.op = op, .object = object, .destroys = true, .drains = true};
}

inline constexpr Traits kTraits[] = {
    {.op = Op::None},
    {.op = Op::Load, .result = Result::Open, .bytes = Bytes::Own, .reads = true},
    {.op = Op::Store, .result = Result::Nothing, .bytes = Bytes::Own, .writes = true},
    {.op = Op::Rmw, .result = Result::Open, .bytes = Bytes::Own, .writes = true, .reads = true, .drains = true},
    {.op = Op::Cas, .result = Result::Open, .bytes = Bytes::Own, .writes = true, .reads = true, .drains = true},
    {.op = Op::Fence, .result = Result::Nothing},
    {.op = Op::Free, .result = Result::Nothing, .bytes = Bytes::Block, .writes = true, .drains = true},
    {.op = Op::Flush, .result = Result::Nothing, .bytes = Bytes::Own, .writes = true, .chooses = true},
    {.op = Op::Fork, .result = Result::Nothing, .drains = true},
    {.op = Op::Begin, .result = Result::Nothing},
    {.op = Op::End, .result = Result::Nothing, .drains = true},
    {.op = Op::Join, .result = Result::OpenIfDetail, .blocks = true, .drains = true},
    {.op = Op::Yield},
    {.op = Op::Exit, .result = Result::Nothing},
    mutex(Op::Lock, Result::Fixed, Hold::TakesIfZero, true),
    mutex(Op::TryLock, Result::Open, Hold::TakesIfZero),
    mutex(Op::TimedLock, Result::Open, Hold::TakesIfZero),
    mutex(Op::Unlock, Result::Fixed, Hold::Gives),
    on(ObjectKind::Mutex, Op::MutexInit),
    destroy(ObjectKind::Mutex, Op::MutexDestroy),
    rwlock(Op::ReadLock, Result::Fixed, Hold::TakesIfZero, true, true),
    rwlock(Op::TryReadLock, Result::Open, Hold::TakesIfZero, true),
    rwlock(Op::TimedReadLock, Result::Open, Hold::TakesIfZero, true),
    rwlock(Op::WriteLock, Result::Fixed, Hold::TakesIfZero, false, true),
    rwlock(Op::TryWriteLock, Result::Open, Hold::TakesIfZero, false),
    rwlock(Op::TimedWriteLock, Result::Open, Hold::TakesIfZero, false),
    rwlock(Op::RwUnlock, Result::Fixed, Hold::Gives, false),
    on(ObjectKind::RwLock, Op::RwInit),
    destroy(ObjectKind::RwLock, Op::RwDestroy),
    {.op = Op::CondWait,
     .object = ObjectKind::Condition,
     .second = Second::Mutex,
     .hold = Hold::GivesMutex,
     .drains = true},
    {.op = Op::CondWake,
     .result = Result::OpenIfDetail,
     .object = ObjectKind::Condition,
     .second = Second::Mutex,
     .hold = Hold::TakesMutexBack,
     .blocks = true,
     .chooses = true,
     .drains = true},
    mutex(Op::Reacquire, Result::Fixed, Hold::Takes, true),
    {.op = Op::Signal, .object = ObjectKind::Condition, .chooses = true, .drains = true},
    on(ObjectKind::Condition, Op::Broadcast),
    on(ObjectKind::Condition, Op::CondInit),
    destroy(ObjectKind::Condition, Op::CondDestroy),
    on(ObjectKind::Semaphore, Op::SemWait, Result::Fixed, true),
    on(ObjectKind::Semaphore, Op::SemTryWait, Result::Open),
    on(ObjectKind::Semaphore, Op::SemTimedWait, Result::Open),
    on(ObjectKind::Semaphore, Op::SemPost),
    on(ObjectKind::Semaphore, Op::SemValue, Result::Open),
    on(ObjectKind::Semaphore, Op::SemInit),
    destroy(ObjectKind::Semaphore, Op::SemDestroy),
    on(ObjectKind::Barrier, Op::BarrierArrive, Result::Open),
    on(ObjectKind::Barrier, Op::BarrierLeave, Result::Fixed, true),
    on(ObjectKind::Barrier, Op::BarrierInit),
    destroy(ObjectKind::Barrier, Op::BarrierDestroy),
    on(ObjectKind::Once, Op::OnceEnter, Result::Open, true),
    on(ObjectKind::Once, Op::OnceLeave),
    {.op = Op::FutexWait,
     .result = Result::Open,
     .bytes = Bytes::Word,
     .reads = true,
     .object = ObjectKind::Futex,
     .drains = true},
    on(ObjectKind::Futex, Op::FutexWake, Result::OpenIfDetail, true),
    {.op = Op::FutexNotify, .result = Result::Open, .object = ObjectKind::Futex, .chooses = true, .drains = true},
    {.op = Op::Output},
    {.op = Op::Input, .bytes = Bytes::Block, .writes = true},
    {.op = Op::AtomicBegin, .drains = true},
    {.op = Op::AtomicEnd, .drains = true},
    {.op = Op::Assume},
    {.op = Op::Alloc, .result = Result::Nothing, .bytes = Bytes::Block, .writes = true},
    {.op = Op::Initial},
    {.op = Op::Extension},
    {.op = Op::Label},
};

constexpr bool is_in_order() {
  for (u32 i = 0; i < sizeof kTraits / sizeof kTraits[0]; ++i)
    if (kTraits[i].op != static_cast<Op>(i)) return false;
  return sizeof kTraits / sizeof kTraits[0] == static_cast<u32>(Op::Count);
}
static_assert(is_in_order(), "one row for each operation of trace/event.h, in its order");

}  // namespace table

constexpr const Traits& traits(Op op) { return table::kTraits[static_cast<u32>(op)]; }

constexpr bool is_memory(Op op) { return op >= Op::Load && op <= Op::Flush; }
constexpr bool is_write(Op op) { return is_memory(op) && traits(op).writes; }
/// Begins or ends the life of a block.
constexpr bool is_block(Op op) { return op == Op::Free || op == Op::Alloc; }
/// Reads or writes memory as the program does; a store that waits in a buffer does so when it is flushed.
constexpr bool is_access(Op op) { return is_memory(op) && traits(op).bytes == Bytes::Own; }
constexpr bool is_read(Op op) { return is_access(op) && traits(op).reads; }
constexpr bool can_block(Op op) { return traits(op).blocks; }
/// Operations on synchronisation objects: performing one can enable or disable others.
constexpr bool is_sync(Op op) { return traits(op).object != ObjectKind::None; }
/// Operations on objects that have a destroy function.
constexpr bool is_destructible(Op op) { return is_sync(op) && traits(op).object < ObjectKind::Once; }
constexpr bool is_destroy(Op op) { return traits(op).destroys; }
/// A wait on a condition, either half: an operation on its mutex, too.
constexpr bool is_wait(Op op) { return traits(op).second == Second::Mutex; }

/// Do others decide what the thread receives? Then it has as many continuations as there are results.
constexpr bool is_branching(Op op, u8 detail) {
  return traits(op).result == Result::Open || (traits(op).result == Result::OpenIfDetail && detail != 0);
}

/// What the thread received; operations that give nothing have one result, 0. (A store's value is what it overwrote.)
constexpr u64 result_of(const Event& event) { return traits(event.op).result == Result::Nothing ? 0 : event.value; }

/// Bytes of memory from the event's location on.
constexpr u64 bytes_of(const Event& event) {
  switch (traits(event.op).bytes) {
    case Bytes::None: return 0;
    case Bytes::Own: return event.size;
    case Bytes::Block: return event.operand;
    case Bytes::Word: return 4;
  }
  return 0;
}

/// Names of the objects that it uses: addresses, or for a thread's holds of a reader-writer lock a number of its own.
/// 0: none.
struct ObjectKeys {
  u64 first = 0, second = 0;
};
constexpr ObjectKeys object_keys(Op op, ThreadId thread, u64 location, u64 operand) {
  if (!is_sync(op)) return {};
  switch (traits(op).second) {
    case Second::None: return {location, 0};
    case Second::Mutex: return {location, operand};
    case Second::Holds: return {location, location ^ (static_cast<u64>(thread + 1u) << 56)};
  }
  return {};
}

/// Who holds what follows from these changes.
struct HoldChange {
  enum Kind : u8 { None, Takes, Gives } kind = None;
  bool of_second = false;  // of the wait's mutex, not of the object itself
  bool shares = false;     // others may hold it at the same time
};
constexpr HoldChange hold_change(Op op, u64 result) {
  const Traits& t = traits(op);
  switch (t.hold) {
    case Hold::None: return {};
    case Hold::Takes: return {HoldChange::Takes, false, t.shares};
    case Hold::TakesIfZero: return result == 0 ? HoldChange{HoldChange::Takes, false, t.shares} : HoldChange{};
    case Hold::Gives: return result == 0 ? HoldChange{HoldChange::Gives, false, t.shares} : HoldChange{};
    case Hold::GivesMutex: return {HoldChange::Gives, true, false};
    case Hold::TakesMutexBack: return result == 0 ? HoldChange{HoldChange::Takes, true, false} : HoldChange{};
  }
  return {};
}

}  // namespace plait::machine

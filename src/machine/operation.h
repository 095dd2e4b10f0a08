// An operation that a thread is about to perform: all that the machine needs to decide whether it can, and what it does.
#pragma once
#include "trace/event.h"

namespace plait::machine {

enum class MutexKind : u8 { Normal, Recursive, ErrorCheck, Spin };

namespace wake_flag {
inline constexpr u8 kTimed = 1;     // the wait may time out
inline constexpr u8 kSpurious = 2;  // the wait may return for no reason
}  // namespace wake_flag

/// Detail of Alloc and Free: of a local variable. Such an Alloc is a step that others can notice: the bytes were dead before it.
inline constexpr u8 kLocalVariable = 1;

struct Operation {
  Op op = Op::None;
  u8 size = 0;           // bytes accessed, 0 for pure synchronisation
  u8 detail = 0;         // RmwKind, MutexKind or wake_flag
  Order order = Order::Plain;
  u32 site = 0;
  u64 location = 0;      // address of the memory or the object; for Join the child's number
  u64 operand = 0;       // as Event::operand
  u64 extra = 0;         // Cas: expected. FutexWait: the word found in memory, filled in when it is performed
  u32 object = 0;        // index of the synchronisation object
  u32 object2 = 0;       // CondWait, CondWake: the mutex. Read locks: the object that counts this thread's holds
  u32 span = 0;          // Alloc, Free: bytes of the block; Input: of the memory
};

constexpr bool is_memory(Op op) { return op >= Op::Load && op <= Op::Flush; }
constexpr bool is_write(Op op) { return op == Op::Store || op == Op::Rmw || op == Op::Cas || op == Op::Free || op == Op::Flush; }

/// Operations that can have to wait. All others are always enabled.
constexpr bool can_block(Op op) {
  switch (op) {
    case Op::Join:
    case Op::Lock:
    case Op::ReadLock:
    case Op::WriteLock:
    case Op::CondWake:
    case Op::Reacquire:
    case Op::SemWait:
    case Op::BarrierLeave:
    case Op::OnceEnter:
    case Op::FutexWake: return true;
    default: return false;
  }
}

/// Operations on objects that have a destroy function.
constexpr bool is_destructible(Op op) { return op >= Op::Lock && op <= Op::BarrierDestroy; }
constexpr bool is_destroy(Op op) {
  return op == Op::MutexDestroy || op == Op::RwDestroy || op == Op::CondDestroy || op == Op::SemDestroy || op == Op::BarrierDestroy;
}

/// Operations on synchronisation objects: performing one can enable or disable others.
constexpr bool is_sync(Op op) { return op >= Op::Lock && op <= Op::FutexNotify; }

}  // namespace plait::machine

// An operation that a thread is about to perform: all that the machine needs to decide whether it can, and what it
// does.
#pragma once
#include "machine/traits.h"

namespace plait::machine {

enum class MutexKind : u8 { Normal, Recursive, ErrorCheck, Spin };

namespace wake_flag {
inline constexpr u8 kTimed = 1;     // the wait may time out
inline constexpr u8 kSpurious = 2;  // the wait may return for no reason
}  // namespace wake_flag

/// Detail of Alloc and Free: of a local variable. Such an Alloc is a step that others can notice: the bytes were dead
/// before it.
inline constexpr u8 kLocalVariable = 1;

/// Detail of FutexNotify: by address only, whatever has become of the memory.
inline constexpr u8 kInnerNotify = 1;

/// Detail of a Fence: in place of an operation that nobody else sees. It drains the thread's buffer, and orders
/// nothing.
inline constexpr u8 kOnlyDrains = 1;

struct Operation {
  Op op = Op::None;
  u8 size = 0;    // bytes accessed, 0 for pure synchronisation
  u8 detail = 0;  // RmwKind, MutexKind, wake_flag, or one of the above; Cas: its order when it fails
  Order order = Order::Plain;
  u32 site = 0;
  u64 location = 0;     // address of the memory or the object; for Join the child's number
  u64 operand = 0;      // as Event::operand
  u64 extra = 0;        // Cas: expected. FutexWait: the word found in memory, filled in when it is performed
  u32 object = 0;       // index of the synchronisation object
  u32 object2 = 0;      // CondWait, CondWake: the mutex. Read locks: the object that counts this thread's holds
  u32 span = 0;         // Alloc, Free: bytes of the block; Input: of the memory
  bool unseen = false;  // its step runs code that nobody sees, which may touch anything
};

/// The operation that an event performed, or was about to. Whoever numbers objects fills in `object` and `object2`
/// (object_keys).
constexpr Operation operation_of(const Event& event) {
  Operation operation;
  operation.op = event.op;
  operation.size = event.size;
  operation.detail = event.detail;
  operation.order = event.order;
  operation.site = event.site;
  operation.location = event.location;
  operation.operand = event.operand;
  operation.extra = event.op == Op::Cas ? event.extra : 0;
  if (traits(event.op).bytes == Bytes::Block) operation.span = static_cast<u32>(event.operand);
  return operation;
}
constexpr ObjectKeys object_keys(const Event& event) {
  return object_keys(event.op, event.thread, event.location, event.operand);
}

}  // namespace plait::machine

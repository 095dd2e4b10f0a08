// The state of a thread, as 128 bits: everything that decides its future besides shared memory (docs/architecture.md,
// "Thread states").
//
// Registers and arguments at the entry into the runtime, the stack above, thread-local storage, the heap blocks that it
// allocated, other memory that only it has written, synchronisation objects that only it uses, locks it holds, and what
// the runtime keeps for it. Bytes that other threads use are left out: they are in the shared memory of the state, or
// in the other thread's own. Equal fingerprints mean equal futures; different ones may (dead registers and stack
// slots).
#pragma once
#include "runtime/fiber.h"

namespace plait::runtime {

/// Of the current thread, in front of its pending operation; {0, 0} if it cannot be told.
State fingerprint();

/// These bytes, anywhere, are not (only) the business of the thread whose slice they lie in.
void note_foreign(u64 begin, u64 end);
/// These bytes lie outside of the slice of `thread`, which alone writes them.
void note_owned(ThreadId thread, u64 begin, u64 end);

/// The current thread has called code that may keep state which we cannot see.
void note_opaque(u32 site, const char* reason);

}  // namespace plait::runtime

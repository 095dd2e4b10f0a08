// Ghost words: state of the process that lies in no memory of the program (the umask, the directory, who has registered
// what) and that threads share all the same. A word of the runtime stands for each. It has a shadow as the program's
// memory has, so that sharing, prediction, merging and reduction see who looks at the state and who changes it.
//
// The value names the whole sequence of changes since the run began (or the state itself, where that is one number):
// what a thread gets from the system is then a function of the values that it has read. Atomic accesses, so there are
// no races on them.
//
// Whoever looks or changes does that first, and the real thing right afterwards: no other thread steps in between.
#pragma once
#include "machine/value.h"

namespace plait::runtime {

inline constexpr u32 kFileNameWords = 64;  // by path; likewise contents
inline constexpr u32 kSignalWords = 65;    // by number

// Several words of one name: parts of the state that have nothing to do with each other, by number.
#define PLAIT_GHOSTS(X)                                                 \
  X(DescriptorTable, 1, "table of open files")                          \
  X(FileNames, kFileNameWords, "file system")                           \
  X(Directory, 1, "working directory")                                  \
  X(Environment, 1, "environment")                                      \
  X(Umask, 1, "file mode creation mask")                                \
  X(Signals, kSignalWords, "signal handlers")                           \
  X(Keys, 1, "keys of thread-specific data")                            \
  X(Concurrency, 1, "level of concurrency")                             \
  X(ExitHandlers, 1, "exit handlers")                                   \
  X(Files, kFileNameWords, "contents of a file")                        \
  X(Descriptor, kGhostDescriptors + 1, "position of a descriptor")      \
  X(ThreadEnd, kMaxThreads, "whether a thread has ended, and when")     \
  X(ThreadClaim, kMaxThreads, "whether a thread is joined or detached") \
  X(ThreadName, kMaxThreads, "name of a thread")                        \
  X(ThreadScheduling, kMaxThreads, "scheduling parameters of a thread") \
  X(ThreadProcessors, kMaxThreads, "processors of a thread")

inline constexpr int kGhostDescriptors = 64;  // the others have one word in common
#define PLAIT_GHOST(name, words, text) name,
enum class Ghost : u8 { PLAIT_GHOSTS(PLAIT_GHOST) };
#undef PLAIT_GHOST
#define PLAIT_GHOST(name, words, text) +words
inline constexpr u32 kGhostWords = 0 PLAIT_GHOSTS(PLAIT_GHOST);
#undef PLAIT_GHOST

/// The current thread looks at this state: what it has become.
u64 look_at(Ghost ghost, u32 number = 0);

/// The current thread does `what` to this state; returns what it was. Two threads that do the same in different orders
/// leave different values.
u64 change(Ghost ghost, u64 what, u32 number = 0);

/// The same where the new state does not depend on the old one.
u64 replace(Ghost ghost, u64 state, u32 number = 0);

/// For calls that depend on several words, once all have been looked at: this one must still be what it was. If another
/// thread has changed it in between, what the call does now is no function of what the thread has seen, and the run
/// cannot be predicted from.
void expect(Ghost ghost, u64 value, u32 number = 0);
/// What it is now, seen by nobody.
u64 present(Ghost ghost, u32 number = 0);
/// What change() left, given what it returned.
constexpr u64 after_change(u64 old, u64 what) { return machine::mix(old, what); }

/// A number that names this text, for `what`.
u64 hash_of(const void* data, u64 size);
u64 hash_of(const char* text);

/// The site of the call that is under way, for all that it does.
u32 call_site();

/// A new run begins.
void reset_ghosts();

/// For reports.
u64 address_of_ghost(u32 word);
const char* name_of_ghost(u32 word);

}  // namespace plait::runtime

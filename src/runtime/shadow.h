// Which accesses matter to other threads? Two shadow bytes for each byte of the program's memory:
//
// - the *class* (shared by all workers of a session, kept across runs, only grows): who has touched the byte after the
// first fork
//   of a run: nobody, one thread reading, one thread writing too, several reading, or `kShared`: two threads, one of
//   them writing. Only accesses to shared bytes are visible operations.
// - the *active* byte (this process, this run): a copy of the class, and 0 for heap bytes that are not allocated. Or
// kUnwritten: then what it
//   would be otherwise is kept aside (unwritten.h).
//
// Main before its first fork ("init phase") is alone and its behaviour is the same in every run: its accesses do not
// count.
#pragma once
#include "runtime/layout.h"
#include "trace/byte_class.h"

namespace plait::runtime {

inline constexpr u8 kUnwritten = 248;      // unwritten.h
inline constexpr u8 kSharedRedZone = 249;  // stack: was shared, and is a red zone now
inline constexpr u8 kRedZone = 250;        // red_zones.h, local_zones.h
inline constexpr u8 kDead = 251;           // stack: shared, and its life has ended
inline constexpr u8 kFresh = 252;          // heap: allocated, untouched
inline constexpr u8 kNobody = 254;         // no byte has this: an access that is compared with it takes the long way
inline constexpr u8 kShared = kSharedClass;
constexpr bool is_red(u8 code) { return code == kRedZone || code == kSharedRedZone; }
constexpr u64 broadcast(u8 code) { return 0x0101010101010101ull * code; }

/// Where the code of a byte stands.
inline u8* code_of(u64 address) {
  u8* active = active_of(address);
  return *active == kUnwritten ? hidden_of(address) : active;
}

enum class Visibility : u8 { Private, Visible, OutsideBlock };

/// Maps the shadow. `class_fd` < 0: no other workers.
void map_shadow(int class_fd);

/// Decides about an access of the current thread and notes it. `size` bytes at `address`. OutsideBlock: it fails,
/// whatever other threads do. A visible access must be looked at again when its turn has come (check_alive).
Visibility classify(u64 address, u64 size, bool write);

/// The same for a range that is accessed in pieces: where others see some of its bytes, the rest may stay private.
Visibility classify_range(u64 address, u64 size, bool write);

/// The same for bytes that the heap is about to give up, or has given up already: a write to all of them.
Visibility classify_free(u64 address, u64 size);

/// The byte counts as shared from now on.
void make_shared(u64 address);

/// Heap block comes alive / ends. The fresh block's bytes take over what is known of their class; true if some are
/// shared.
bool open_block(u64 address, u64 size);
void close_block(u64 address, u64 size);

/// Takes over what other workers have found to be shared. Between runs only.
void catch_up_with_session();

}  // namespace plait::runtime

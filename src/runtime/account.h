// What a run that is made for its story also tells (request_flag::kAccount): who called whom at each event, and what
// heap blocks and local variables the addresses of its events belong to. Nothing of it changes what the program does.
#pragma once
#include "runtime/fiber.h"

namespace plait {
struct Site;
}

namespace plait::runtime {

/// Once, when the process starts: the unwinder loads itself at its first use.
void prepare_account();
/// The process has crashed. If that was in the account itself: goes on without, and does not return.
void leave_crashed_walk();
/// Before a run.
void begin_account(bool wanted);

namespace account {
extern bool wanted;
extern u32 last_call;  // the site of the last call into the runtime, be it in a library's code
void operation();
void event(const Event& event, const Fiber& fiber);
void failure();
void block(u64 address, bool freed);
void local(u64 address, u64 size, const Site* site);
void hold(const machine::Operation& operation, u64 result);
}  // namespace account

// Inline: ordinary runs pay for a test only.
/// The current thread stands in front of an operation.
inline void account_operation() {
  if (account::wanted) account::operation();
}
/// This event is that operation.
inline void account_event(const Event& event, const Fiber& fiber) {
  if (account::wanted) account::event(event, fiber);
}
/// The run fails here, in the current thread.
inline void account_failure() {
  if (account::wanted) account::failure();
}
/// The current thread allocates or frees the block.
inline void account_block(u64 address, bool freed) {
  if (account::wanted) account::block(address, freed);
}
/// A local variable of the current thread begins to live.
inline void account_local(u64 address, u64 size, const Site* site) {
  if (account::wanted) account::local(address, size, site);
}

/// The current thread takes a lock or gives it back, and there is no event of it: nobody else uses that lock.
inline void account_hold(const machine::Operation& operation, u64 result) {
  if (account::wanted) account::hold(operation, result);
}

/// Writes the account behind the run: lines of text, see account.cc. Returns its size.
u32 take_account(char* to, u32 capacity);

}  // namespace plait::runtime

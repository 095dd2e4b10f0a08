#include "runtime/turns.h"

#include "runtime/access.h"
#include "runtime/process.h"
#include "runtime/scheduler.h"

namespace plait::runtime {
namespace {

/// Does memory hold what the operations of this turn have seen? True if there was only one.
bool is_repeatable(u32 first) {
  const Fiber& fiber = *run.current;
  u32 seen = 0;
  bool holds = true;
  for (u32 i = first; i < run.event_count; ++i) {
    const Event& event = run.events[i];
    if (event.thread != fiber.id || event.op == Op::Extension) continue;
    ++seen;
    const bool is_plain = machine::is_read(event.op) && event.size <= 8;
    holds &= is_plain && static_cast<u64>(buffered_load(fiber, event.location, event.size)) == event.value;
  }
  return seen <= 1 || holds;
}

TurnMark mark_now() { return {run.current->position, run.event_count, run.current->changes}; }

}  // namespace

void note_change() { ++run.current->changes; }

}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

void __plait_begin_turns(int depth) { run.current->turns[depth] = mark_now(); }

int __plait_turn(int depth, uint32_t flags, const Site*) {
  begin_operation();
  const TurnMark before = run.current->turns[depth];
  const TurnMark now = run.current->turns[depth] = mark_now();
  if (!run.active || run.init_phase || run.counts_turns || now.position - before.position == 1) return 0;
  if ((flags & turn_flag::kSleeps) && process.session->clock_matters) return 0;
  if (flags & turn_flag::kUnbounded) return 1;
  if (now.changes != before.changes) {
    process.session->counts_turns = 1;
    run.turns_found = true;
    return 0;
  }
  if ((flags & turn_flag::kInterrupted) && !(flags & turn_flag::kHandsOut)) return 0;
  if (!is_repeatable(before.event)) run.guessed = true;
  return 1;
}
}

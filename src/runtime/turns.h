// Loops that try a few times before they do something else (spin, then block). The compiler has found them
// (instrument/turns.h): all that one turn hands on to the next is a count, the count decides nothing but when to stop
// trying and how long to wait in between, and a turn contains loads, compare-and-swaps, try-locks and the like.
//
// Such a loop is *settled* after its first turn that fails: it has run out. Claim: the program then has the same
// behaviours (results of all other operations, deadlocks, races, outcomes) as with any number N > 0 of turns.
//
// - Nothing is lost. Take a run of the program. Turns that fail change nothing that others see, and nothing of their
// own
//   thread but the count. So leave them all out but, if the loop runs out, the last one: others do what they did, and
//   the thread comes out of the loop at the same moment, with what its last turn has seen.
// - Nothing is added. Take a run in which the loop was settled after one turn that failed. At the moment of that turn's
//   last operation, let the thread make N - 1 more turns in a row. A turn with a single operation sees the same again,
//   and fails again. So does one with several operations whose memory still holds, at that moment, what each of them
//   has seen.
//
// Where the count says only how long to wait between the turns (back-off), it stays as it is: waiting does nothing.
//
// The rest needs care:
// - A turn during which another thread came between (a compare-and-swap of what was just loaded fails) could not be
//   repeated in a row, and the thread knows it: such a turn counts, as written. Where all turns that fail are of this
//   kind, the loop runs out after N of them, as written; where one is of another kind, settle the loop there, and let
//   the thread wait until the moment when it came out. If code behind the loop uses what the last turn has seen, that
//   would be something else: then the loop is settled.
// - A turn with several operations whose memory has changed meanwhile, which the thread does not know: the loop is
//   settled, since what a thread does must follow from what it has seen. That may add something. The run is marked
//   (Reply::guessed). A failure that it shows is not reported: the exploration begins again, with all loops as they are
//   written (Visibility::counts_turns). Where the bound is a small constant, the compiler leaves loops with turns of
//   several operations as they are written in the first place.
// - A turn that went on although it has changed something (a lock that was taken, a value that was swapped) is no
//   attempt. Seen for the first time, it makes the exploration begin again in the same way.
// - Loops that sleep are followed as they are written in programs that look at clocks.
//
// Explorers that are asked for exact numbers (of interleavings, of classes) see the loops as they are written, too.
#pragma once
#include "trace/turn_flags.h"

namespace plait::runtime {

/// Where a turn began, in terms of its thread.
struct TurnMark {
  u32 position = 0;
  u32 event = 0;
  u32 changes = 0;
};

/// The current thread has changed something that others may see, or that it will see later.
void note_change();

}  // namespace plait::runtime

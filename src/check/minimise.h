// Makes a failing schedule easier to read: fewer context switches, then fewer steps, found by running variants again.
// Under TSO and PSO fewer delayed stores (buffered_stores.h) come first: a bug that needs none of them is a bug under
// SC, too.
//
// A schedule is a list of blocks, each of which lets one thread run up to a position. Two changes can join blocks of
// one thread:
//   leave a block out    the thread catches up in its next block (or at the end, by the default order)
//   extend a block       to where the thread's next block ends; that one goes
// Flushes are moved to where they make no difference to SC, as many as possible.
// Ranges of blocks are tried first, halving (as delta debugging does), so that long random schedules shrink quickly. A
// variant counts if it is the same bug and costs less; what is kept is what that run really did, not what was asked
// for.
#pragma once
#include "check/replay.h"
#include "machine/memory_model.h"

namespace plait {

struct MinimiseOptions {
  u32 runs = 3000;
  u64 points = 2'000'000;  // scheduling points of all these runs together
  double seconds = 20;     // for programs that are slow between them: no other answer depends on the clock
  machine::MemoryRules memory;
  const std::atomic<bool>* stop = nullptr;  // what has been found by then is the answer
};

struct Minimised {
  Witness witness;
  u32 switches = 0;  // changes of the running thread between scheduling points
  u32 delays = 0;    // delayed stores
  u32 runs = 0;      // how many it took
  u64 points = 0;    // and how long these were
};

/// `found` must replay on the runner; if it does not, it comes back unchanged. The runs are not part of the
/// exploration.
Minimised minimise(Runner&, const FoundBug& found, const MinimiseOptions& = {});

/// Changes of the running thread between scheduling points. Buffers are no threads.
u32 count_switches(std::span<const Event>);

}  // namespace plait

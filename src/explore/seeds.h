// Seeds (000 §3.4): from one trace, schedules that make a read return what it did not return there.
//
// A node of the search is a set of commitments: how many steps of each thread keep the results that they had (closed
// under program order), never an order. The reads of a trace beyond the node's commitments are taken in the observed
// order. Seed (read i, value v) commits reads 1 .. i-1 to the results they had, and read i to v. A run that differs
// from the trace differs first in one read, so the seeds of one trace share no runs: every class of runs is explored at
// most once, and by which order a seed is reached does not matter (programs L1 - L4 show what is lost when it does).
#pragma once
#include <atomic>
#include <functional>

#include "explore/schedule.h"
#include "solve/solver.h"

namespace plait {

/// Steps of each thread that are committed to their results.
using Commitments = std::vector<u32>;

struct Seed {
  std::vector<Choice> steps;  // the schedule: as short as the solver found
  Commitments commitments;
  std::vector<u64> promised;  // by thread: hash of the steps that are committed, with their results
  ThreadId thread = 0;        // the read that gets another result ...
  u32 index = 0;              // ... its number in its thread
  u128 result = 0;
  bool null = false;  // a pointer becomes null
  u64 history = 0;    // hash of what the read's thread has received then, this result included; 0: not known
  u64 guess = 0;      // not known: the same of what is known
  u32 last = 0;       // position of the last step of its thread in the trace that it comes from
  // If some reads may return anything: what the run must show, and the trace that it comes from. Else empty.
  std::vector<solve::Prediction> predicted;
  std::shared_ptr<const solve::CausalModel> model;
};

/// Hashes of all local histories that the trace shows, as Seed::history has them.
std::vector<u64> histories_of(const solve::CausalModel& model);

/// The schedule of a solution.
std::vector<Choice> schedule_of(const solve::CausalModel& model, const solve::Answer& answer);

/// Where the trace knows dependences, a read keeps its value only if something depends on it; of those that must happen
/// before the one that changes either all do (MCR-S+, 002 algorithm 3), or only these (MCR-S, algorithm 1).
enum class Before : u8 { Keep, IfNeeded };

/// Has nobody shown this history (Seed::history) yet, and no seed that waits will?
using IsNew = std::function<bool(u64 history)>;

/// All seeds of a trace, except for reads of a thread that goes round in a loop: it is where it was before (`states`:
/// fingerprints say so), or has received the same for very long, and none after `stop`. What these can lead to is left
/// to complete knowledge, which knows loops. What is not new is not asked for.
std::vector<Seed> seeds_of(const std::shared_ptr<const solve::CausalModel>& trace, const Commitments& commitments,
                           bool states, solve::Solver& solver, const std::atomic<bool>& stop,
                           Before before = Before::Keep, const IsNew& is_new = {});

/// Does this trace do what the seed commits to?
bool keeps(const Seed& seed, const solve::CausalModel& trace);

}  // namespace plait

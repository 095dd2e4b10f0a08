// Robustness: does a program have behaviours under its memory model that it does not have under SC, and which stores
// would have to be stronger?
//
// Both models are explored to the end and compared by failures, outputs, local histories and read-value classes (the
// combination of all threads' histories at the end of a run: store buffering shows only there). Then stores are made
// stronger, as if a fence stood behind each: first all that wait in buffers, and one after the other is left out as
// long as nothing beyond SC comes back. What is left is a smallest set: no store can be taken away from it.
#pragma once
#include "check/findings.h"

namespace plait {

struct StrongerStore {
  u32 site;
  Order order;         // SeqCst; Release where that is enough (PSO)
  size_t removes = 0;  // how many of the behaviours it removes alone
};

struct Comparison {
  bool complete = false;               // both models were explored to the end
  bool classes_compared = false;       // else the program's loops have no bound: histories were not told apart
  std::vector<std::string> obstacles;  // why not complete
  u64 classes = 0, histories = 0;      // beyond SC
  std::vector<std::string> outputs;
  std::vector<Failure> failures;
  std::vector<StrongerStore> remedy;  // together these remove all; only if `complete`
  u64 executions = 0;
  size_t beyond() const { return classes + histories + outputs.size() + failures.size(); }
  bool robust() const { return complete && beyond() == 0; }
};

/// Compares the exploration's memory model with SC. The limits are for everything together.
Comparison compare_with_sc(const MakeRunners&, const Visibility& begin_with, const ExploreOptions&, const Limits&,
                           const FindingsOptions&);

}  // namespace plait

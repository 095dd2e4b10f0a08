// Optimal dynamic partial-order reduction (Abdulla, Aronis, Jonsson, Sagonas: Source sets: a foundation for optimal
// dynamic partial order reduction, JACM 64(4), 2017, algorithm 2): exactly one run for each Mazurkiewicz trace.
//
// Depth first. A frame per scheduling point of the current run keeps the threads asleep there and the wakeup tree: its
// first branch is the one being explored. When a run has ended, each pair of events that could have come the other way
// round puts the sequence that makes it so into the tree of the frame before the pair.
//
// Beyond the paper:
// - Operations that block (locks, waits, semaphores, barriers, joins) are paired with every earlier event that they
// could have overtaken, which the
//   machine decides; a sequence too many costs nothing, as the tree takes only what is new.
// - Operations with several results (which waiter a signal wakes) are performed once for each.
// - A run that ends early (a failure, a false assumption, exit) hides what the other threads would have done: each of
// them steps once at
//   the last point where it could. That may cost runs that end in a sleep set (`blocked_executions`).
#include "explore/dpor_search.h"

namespace plait {
namespace {

class DporExplorer : public Explorer {
 public:
  Attempt attempt(Exploration& exploration) override {
    return exploration.options.preemption_bound ? explore_bounded_dpor(exploration) : Dpor(exploration).explore();
  }
};

class DporAroundUnseen : public Explorer {
 public:
  explicit DporAroundUnseen(std::string& contradiction) : contradiction_(contradiction) {}
  Attempt attempt(Exploration& exploration) override { return Dpor(exploration, &contradiction_).explore(); }

 private:
  std::string& contradiction_;
};

}  // namespace

std::unique_ptr<Explorer> make_dpor_around_unseen(std::string& contradiction) {
  return std::make_unique<DporAroundUnseen>(contradiction);
}

std::unique_ptr<Explorer> make_dpor() { return std::make_unique<DporExplorer>(); }

}  // namespace plait

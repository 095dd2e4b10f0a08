// Wakeup trees (Abdulla, Aronis, Jonsson, Sagonas: Source sets, JACM 64(4), 2017, section 6): what is left to explore
// from a point of the current run, as an ordered tree of steps. A sequence that is inserted is explored, or an
// equivalent one is, without ever meeting a sleep set: that is what makes the exploration optimal.
//
// Deviation: steps that choose a result (which waiter a signal wakes) are explored for all choices wherever they stand,
// so a sequence that differs from the tree in such a choice only is already in it. A step whose operation no run has
// shown counts as dependent on all others; a sequence that begins with it is put behind it, as no sequence asked for
// it: its run may end in a sleep set without showing what the sequence would.
#pragma once
#include <memory>
#include <vector>

#include "explore/causal_order.h"
#include "explore/schedule.h"

namespace plait {

struct WakeupNode;
using WakeupNodes = std::vector<WakeupNode>;

struct WakeupNode {
  Choice step;
  bool known = true;  // the operation is, and a run has asked for it
  machine::Operation operation;
  WakeupNodes children;
  Actor actor() const { return actor_of(step.thread, operation.op, step.position); }
};

WakeupNode wakeup_node(const TraceItem& item);
/// One step of a thread that is enabled but whose operation has not been seen.
WakeupNode unknown_step(ThreadId thread);

/// Inserts the sequence below `nodes` unless it is there already. Its items must stand in an order that is possible.
void insert(WakeupNodes& nodes, std::vector<const TraceItem*> sequence);

/// An actor whose next operation was explored already.
struct Sleeper {
  Actor actor;
  machine::Operation operation;
  /// By somebody whose wakeup sequences did not come here (dpor_parts.cc). Then a sequence that its operation does not
  /// depend on may still lead to what was not explored: only those that contain it were.
  bool elsewhere = false;
};

/// Could the actor be the first of the sequence? (Its initials.)
bool is_initial(Actor actor, const std::vector<const TraceItem*>& sequence);

/// Could the sequence also be performed with this actor's operation first? (Its weak initials.) Then it was explored.
bool starts_with(const Sleeper& sleeper, const std::vector<const TraceItem*>& sequence);

}  // namespace plait

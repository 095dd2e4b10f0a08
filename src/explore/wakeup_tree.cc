#include "explore/wakeup_tree.h"

#include <algorithm>

namespace plait {
namespace {

using Sequence = std::vector<const TraceItem*>;

enum class Relation { Initial, Independent, Neither };

/// How a step of `actor` stands to the sequence. Initial: `at` is where.
Relation relation(Actor actor, bool known, const machine::Operation& operation, const Sequence& sequence, size_t& at) {
  for (at = 0; at < sequence.size(); ++at)
    if (sequence[at]->actor() == actor) {
      for (size_t k = 0; k < at; ++k)
        if (comes_first(*sequence[k], *sequence[at])) return Relation::Neither;
      return Relation::Initial;
    }
  if (!known) return Relation::Neither;
  for (const TraceItem* item : sequence)
    if (machine::dependent(item->event.thread, item->operation, actor.thread, operation)) return Relation::Neither;
  return Relation::Independent;
}

}  // namespace

WakeupNode wakeup_node(const TraceItem& item) {
  WakeupNode node{step_of(item.event), true, item.operation, {}};
  if (item.is_pending() && item.event.op != Op::Flush)
    node.step = Choice{kPlainStep, item.event.thread, 0, item.event.position};
  return node;
}

WakeupNode unknown_step(ThreadId thread) { return {Choice{kPlainStep, thread, 0, kNextPoint}, false, {}, {}}; }

bool starts_with(const Sleeper& sleeper, const Sequence& sequence) {
  size_t at;
  const Relation how = relation(sleeper.actor, true, sleeper.operation, sequence, at);
  return how == Relation::Initial || (how == Relation::Independent && !sleeper.elsewhere);
}

bool is_initial(Actor actor, const Sequence& sequence) {
  size_t at;
  return relation(actor, false, {}, sequence, at) == Relation::Initial;
}

void insert(WakeupNodes& root, Sequence sequence) {
  WakeupNodes* nodes = &root;
  while (!sequence.empty()) {
    WakeupNode* taken = nullptr;
    bool grows = false;  // it was a step that nobody knew, and no sequence asked for
    for (WakeupNode& node : *nodes) {
      size_t at;
      const Relation how = relation(node.actor(), node.known, node.operation, sequence, at);
      if (how == Relation::Neither) continue;
      if (how == Relation::Initial) {
        grows = !node.known;
        if (grows) node = wakeup_node(*sequence[at]);
        const Choice step = step_of(sequence[at]->event);
        if (!grows && (node.step.kind != step.kind || node.step.arg != step.arg))
          return;  // all choices are explored there
        sequence.erase(sequence.begin() + static_cast<std::ptrdiff_t>(at));
      }
      taken = &node;
      break;
    }
    if (!taken) break;
    if (taken->children.empty() && !grows) return;  // a leaf: everything behind it will be explored
    nodes = &taken->children;
  }
  for (const TraceItem* item : sequence) {
    nodes->push_back(wakeup_node(*item));
    nodes = &nodes->back().children;
  }
}

}  // namespace plait

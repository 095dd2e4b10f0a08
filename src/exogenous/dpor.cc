// Optimal dynamic partial order reduction (Abdulla, Aronis, Jonsson, Sagonas: POPL 2014, Algorithm 2) over any runtime:
// one run of each class of equivalent ones.
//
// The runtime knows nothing of sleep sets, and need not: a sequence enters a wakeup tree only if no sleeping event can
// come first in it. So whoever sleeps in front of it has been woken at its end, and the runtime may go on as it likes.
//
// Two things are different from the paper. What sleeps are events, not processes, since an actor may have several next
// events. And a sequence may turn out not to be possible (Reversal::may_fail): then it is dropped, what it kept from
// being added is added after all, and nothing on its way counts as explored.
#include <fmt/core.h>

#include <optional>
#include <set>

#include "exogenous/explorer.h"
#include "exogenous/wakeup_tree.h"

namespace plait::exogenous {
namespace {

class Dpor {
 public:
  Dpor(Search& search, Runtime& runtime)
      : search_(search),
        runtime_(runtime),
        relations_(search.relations),
        trees_([this](u32 a, u32 b) { return id(a) == id(b); }, [this](u32 a, u32 b) { return dependent(a, b); }) {}

  bool explore() {
    stack_.emplace_back();
    std::optional<Branch> leaf = Branch{.event = 0};
    while (leaf) {
      if (search_.control.take(1) == 0) return false;
      Execution run;
      try {
        run = runtime_.run(seed());
      } catch (const Cancelled&) {
        return false;
      }
      if (search_.accept(run, leaf->may_fail, reason(*leaf)))
        learn(run);
      else
        drop(*leaf);
      if (search_.control.stopped()) return false;
      leaf = next();
    }
    return true;
  }

 private:
  /// The state in front of an event; the last one is that behind all events.
  struct Node {
    u32 chosen = 0;
    bool explored = false;  // some run has performed the chosen event here
    std::vector<u32> sleep = {};
    std::vector<Branch> todo = {};
  };

  Symbol id(u32 event) {
    if (event >= ids_.size()) ids_.resize(event + 1, kNoSymbol);
    if (ids_[event] == kNoSymbol) ids_[event] = search_.catalogue[event].id;
    return ids_[event];
  }

  bool dependent(u32 a, u32 b) {
    // What runs list says nothing of events of different runs.
    if (relations_.asks_given()) return true;
    return relations_.tie(a, b) != Tie::None || relations_.tie(b, a) != Tie::None ||
           exclusive_.contains(std::minmax(id(a), id(b)));
  }

  std::vector<Symbol> seed() {
    std::vector<Symbol> events;
    for (size_t i = 0; i + 1 < stack_.size(); ++i) events.push_back(id(stack_[i].chosen));
    return events;
  }

  std::string reason(const Branch& leaf) {
    if (stack_.size() == 1) return "the first run";
    return fmt::format("'{}' before '{}', which interferes", search_.catalogue.id(leaf.event),
                       search_.catalogue.id(leaf.first));
  }

  void descend(u32 event, std::vector<Branch>&& behind) {
    Node& node = stack_.back();
    node.chosen = event;
    node.explored = false;
    Node next;
    for (const u32 sleeper : node.sleep)
      if (id(sleeper) != id(event) && !dependent(sleeper, event)) next.sleep.push_back(sleeper);
    next.todo = std::move(behind);
    stack_.push_back(std::move(next));
  }

  void learn(const Execution& run) {
    // Events may have received something else than in the run that they were taken from.
    const size_t known = std::min(stack_.size() - 1, run.events.size());
    for (size_t i = 0; i < known; ++i) stack_[i].chosen = run.events[i];
    for (size_t i = known; i < run.events.size(); ++i) descend(run.events[i], {});
    for (size_t i = 0; i < run.events.size(); ++i) stack_[i].explored = true;
    ++search_.control.counters.interleavings;
    for (const Alternative& alternative : run.alternatives)
      exclusive_.insert(std::minmax(id(run.events[alternative.at]), id(alternative.event)));
    const RunOrder order(run, relations_);
    add(order, order.reversals());
    add(order, order.alternatives());
  }

  void add(const RunOrder& order, const std::vector<Reversal>& reversals) {
    for (const Reversal& reversal : reversals) {
      Node& node = stack_[reversal.first];
      Sequence sequence;
      for (const u32 k : reversal.between) sequence.push_back(order.event(k));
      sequence.push_back(reversal.second);
      const bool asleep = std::any_of(node.sleep.begin(), node.sleep.end(),
                                      [&](u32 sleeper) { return trees_.is_weak_initial(sleeper, sequence); });
      if (!asleep) trees_.insert(node.todo, std::move(sequence), reversal.may_fail, order.event(reversal.first));
    }
  }

  /// Back to where something is left to be done, and from there to a leaf of its wakeup tree.
  std::optional<Branch> next() {
    stack_.pop_back();  // nothing follows the last event
    while (!stack_.empty()) {
      Node& node = stack_.back();
      if (node.explored) node.sleep.push_back(node.chosen);
      node.explored = false;
      if (!node.todo.empty()) return to_leaf();
      stack_.pop_back();
    }
    return std::nullopt;
  }

  Branch to_leaf() {
    for (;;) {
      std::vector<Branch>& todo = stack_.back().todo;
      Branch branch = std::move(todo.front());
      todo.erase(todo.begin());
      const bool is_leaf = branch.children.empty();
      descend(branch.event, std::move(branch.children));
      if (is_leaf) return branch;
    }
  }

  void drop(const Branch& leaf) {
    Node& parent = stack_[stack_.size() - 2];
    for (const Sequence& sequence : leaf.absorbed) {
      const bool asleep = std::any_of(parent.sleep.begin(), parent.sleep.end(),
                                      [&](u32 sleeper) { return trees_.is_weak_initial(sleeper, sequence); });
      if (!asleep) trees_.insert(parent.todo, sequence, true, leaf.first);
    }
  }

  Search& search_;
  Runtime& runtime_;
  const Relations relations_;
  WakeupTrees trees_;
  std::vector<Node> stack_;
  std::vector<Symbol> ids_;
  std::set<std::pair<Symbol, Symbol>> exclusive_;  // alternatives of each other, smaller number first
};

}  // namespace

bool explore_dpor(Search& search, Runtime& runtime) { return Dpor(search, runtime).explore(); }

}  // namespace plait::exogenous

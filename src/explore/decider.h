// The explicit decider (docs/exploration.md): which unknown results can be reached over all that is known?
//
// One search visits every state of the product that matters and collects
// - the frontier: (node, result) pairs that some interleaving of known behaviour produces but no run has shown,
// - deadlocks, touches of freed memory, misuse of locks, ends of the program that cut threads off.
// Each comes with a path; its native run teaches or confirms it.
//
// Reductions, each exact with respect to the knowledge at hand: equal futures share a state (knowledge/futures.h);
// where a set of threads conflicts with no other thread's future, only that set is interleaved (persistent sets,
// Godefroid 1996). A search inside a cone (knowledge/cone.h) asks about some threads only; the others move only as far
// as they matter to these. Where graphs have cycles, no thread is left out for ever: a state whose chosen steps all
// lead to states that were left already is expanded in full (the proviso of Bosnacki, Leue and Lluch Lafuente, 2009).
// A search can go on after new runs, from the steps that led into the unknown. It then has states and reductions of
// several ages; only a search from the start that finds nothing is a proof. They change what is visited, never whether
// an unknown result exists: the last search, which finds none, proves that the knowledge is complete.
#pragma once
#include <atomic>
#include <memory>
#include <set>

#include "explore/after_access.h"
#include "explore/horizon.h"
#include "explore/persistent_sets.h"
#include "explore/product.h"
#include "explore/schedule.h"
#include "explore/state_store.h"
#include "explore/thread_swaps.h"
#include "explore/trails.h"

namespace plait {

struct Lead {
  u32 state;        // in the decider's store
  ThreadId thread;  // the step to take there; kNoThread: none (a deadlock)
  u16 arg;
  StepKind kind;
  Claim claim = {};  // Race, Endless
  u32 sides = 0;     // which way the step goes (StateStore::Origin)
};

/// A step of a path with the name that a schedule needs.
struct PathStep {
  ThreadId thread;
  u16 arg;
  bool chosen;  // the operation had a choice
  u32 position;
  NodeId node;  // concrete: not replaced by a representative
};
struct Path {
  std::vector<PathStep> steps;
  Claim claim = {};                        // about where it ends
  std::vector<InputVariable> inputs = {};  // with their values, if inputs are symbols: who is missing has the default
  bool has_inputs = true;                  // false: none were found for it
};
Schedule schedule_of(const Path& path);

class Decider {
 public:
  struct Options {
    bool reduce = true;         // persistent sets
    bool merge = true;          // equal futures
    bool exit_matters = false;  // the program's end is a step like any other. Else it waits for all others: nobody
                                // receives anything from it
    bool outputs = false;       // tell apart states by what was written
    bool blocking = false;      // in a cone: is anybody blocked for ever?
    bool progress = false;      // keep what endless() needs
    bool races = false;         // look for pairs of conflicting accesses; needs reduce = false
    bool pauses = false;        // at a budget, leads or not
    bool swaps = true;          // threads that are alike may be taken for each other
    u64 apart = 0;              // but not those of these groups, a bit each
    bool unordered = false;     // look for conflicting accesses that nothing orders, side by side or not
    bool large = true;          // with reductions that pay in large searches (explore/reductions.h)
  };
  /// `conditions`: of the exploration, if inputs are symbols. Only one such decider may search at a time.
  Decider(const Behaviour& knowledge, const Options& options, solve::PathConditions* conditions = nullptr);
  Decider(const Behaviour& knowledge, std::shared_ptr<const Horizon> horizon, Cone cone, const Options& options,
          solve::PathConditions* conditions = nullptr);

  /// Searches everything, or, once there are leads (or at once, if it pauses), until about `budget` states have been
  /// left. False if it was stopped or ran out of memory.
  bool search(const std::atomic<bool>& stop, u64 budget = ~u64{0});
  const Cone& cone() const { return cone_; }
  /// Nothing is left to be visited.
  bool finished() const { return begun_ && stack_.empty(); }
  /// Goes back to the steps into the unknown, after the horizon has been refreshed; then search() goes on. Leads are
  /// forgotten.
  void resume();

  const std::vector<Lead>& leads() const { return leads_; }
  u64 states() const { return store_.size(); }
  bool out_of_memory() const { return out_of_memory_; }
  /// Not empty: something depends on inputs that cannot be followed.
  const std::string& obstacle() const { return product_.obstacle(); }
  /// A loop that went round and round was left: where (a node), or kNoNode.
  NodeId cut() const { return cut_; }
  /// States from which the program cannot end, whatever happens: one for each set of threads that are left, the
  /// nearest. Only after a search that found nothing unknown.
  std::vector<Lead> endless();

  /// Steps from the start to a state.
  u32 depth(u32 state) const {
    u32 steps = 0;
    for (; state != StateStore::kRoot; state = store_.origin(state).parent)
      steps += static_cast<u32>(trails_.steps(store_.origin(state).trail).size());
    return steps;
  }

  /// How the lead is reached, from the program's start; the lead's own step included. `last` is what that step does
  /// with what is known now, on the threads' own nodes: a lead that is Unknown no more has been shown by a run
  /// meanwhile.
  Path path(const Lead& lead, StepResult& last);
  /// The path on which these two threads, which are alike, have changed places, as far as it gets.
  Path path_of_other(const Path& path, ThreadId thread, ThreadId other, StepResult& last);
  /// Threads that could be in the place of that one.
  ThreadSet others_like(ThreadId thread) const;

  /// States in which the program is over, or about to be ended.
  const std::vector<u32>& ends() const { return ends_; }
  /// One end for each distinct text that a program that is over can have written, as a lead.
  std::vector<std::pair<std::string, Lead>> outcomes() const;
  /// How many distinct vectors of local histories the ends have. Only without merging.
  u64 classes() const;
  /// Where the threads stand at the ends: each combination once.
  std::vector<std::vector<NodeId>> class_ends() const;

 private:
  std::vector<bool> states_that_can_end() const;
  void expand(u32 number);
  bool goes_round(const StepResult& result) const;
  /// Is there memory for what the next few steps may need at once?
  bool has_room() const;
  bool is_stopped() const { return stop_ && stop_->load(std::memory_order_relaxed); }
  /// Takes the steps of these threads. True if one leads to a state that has not been expanded.
  bool take_steps(u32 number, ThreadSet set, ThreadSet live);
  bool take_step(u32 number, ThreadId thread, u16 arg, ThreadSet live);
  bool take_side(u32 number, ThreadId thread, u16 arg, ThreadSet live);
  /// Values for the inputs under which these conditions hold.
  bool find_inputs(const std::vector<u32>& conditions, std::vector<InputVariable>& inputs);
  u32 intern_sides(const Product::Sides& sides);
  void add_initial_states();
  /// to_ in order.
  void sort_threads();
  static void reorder(std::vector<ThreadId>& names, const std::vector<ThreadId>& was);
  ThreadId owner_in(ThreadId actor) const { return actor < layout_.threads() ? actor : owner_of(actor); }
  bool names_a_thread(const Node& node) const { return node.op == Op::Signal || node.op == Op::FutexNotify; }
  PathStep named(const Product& concrete, const u8* state, const u32* positions, const TrailStep& step,
                 const std::vector<ThreadId>& names) const;
  /// The steps that the lead's path consists of; the first stands for the beginning.
  std::vector<TrailStep> steps_to(const Lead& lead) const;
  /// Who has to step in a state, what the others do can wait.
  struct Choice {
    ThreadSet live = 0, enabled = 0, stopped = 0, exiting = 0;
    ThreadSet actors = 0;         // that can ever step
    ThreadSet chosen = 0;         // of those enabled
    ThreadId buffer = kNoThread;  // a flush that nobody notices is enough
    u32 place = 0;
  };
  Choice choice_in(const u8* state);
  void choose(const u8* state, Choice& choice, ThreadId first = kNoThread);
  /// The only step to take in to_, if that is all that there is to say about it.
  bool find_only_step(TrailStep& step);
  /// Has this state been passed through not long ago? Then it is kept: ways meet there. (Not where threads are alike:
  /// there it would be one of many.)
  bool has_passed(u64 hash);
  /// The thread stands where it never comes back to, so no cycle of states goes through this step of it.
  bool leaves_for_good(const u8* state, ThreadId thread) const;
  /// Goes on from to_ as long as there is only one step to take. Whether it did.
  bool pass_through();
  /// A step led to to_. True if that has not been expanded yet.
  bool add_state(u32 number, ThreadId thread, u16 arg);
  /// The same with options_.unordered: the step may be the first access of a race, or end one.
  bool add_ordered(u32 number, ThreadId thread, u16 arg, const StepResult& result);
  /// No access has been chosen yet: to_, and one more state for each access of the step that may be the first.
  bool add_choices(u32 number, ThreadId thread, u16 arg);
  void note_stuck(u32 number, ThreadSet threads);
  void note_exit(u32 number, ThreadSet exiting);
  /// With options_.progress; `leaving`: threads that have stopped or end the program.
  void note_progress(u32 number, ThreadSet leaving);
  /// Threads and buffers that matter.
  ThreadSet in_cone(const u8* state, ThreadSet threads) const;
  void look_for_races(u32 number, ThreadSet enabled);
  /// What makes two leads the same: in full, a lead must never be taken for another.
  using LeadKey = std::vector<u64>;
  void add_lead(const Lead& lead, LeadKey key);

  const Behaviour& knowledge_;
  Options options_;
  std::shared_ptr<const Horizon> horizon_;
  const Layout& layout_;
  const Futures& futures_;
  Cone cone_;
  Outputs outputs_;
  Product product_;
  std::optional<AfterAccess> after_access_;  // options_.unordered
  AfterAccess::Step step_;
  PersistentSets sets_;
  u32 state_bytes_;
  StateStore store_;
  u64 tries_ = 0, passed_ = 0;
  std::vector<u64> walked_;  // hashes
  bool passes_;              // through states where one step has to be taken
  Trails trails_;
  std::vector<TrailStep> steps_;  // those to to_
  bool leaves_for_good_ = false;  // one of them
  std::vector<u8> before_;
  std::optional<ThreadSwaps> swaps_;
  std::vector<ThreadId> was_;
  std::vector<std::vector<ThreadId>> orders_;  // as `was_`
  std::map<std::vector<ThreadId>, u32> order_numbers_;
  std::vector<u32> stack_;
  struct Missing {
    u32 state;
    u16 arg;
    ThreadId thread;
  };
  std::vector<Missing> missing_;  // steps into the unknown, all of them
  bool begun_ = false;
  const std::atomic<bool>* stop_ = nullptr;  // of the last search
  std::vector<u8> from_, to_;
  std::vector<Lead> leads_;
  std::vector<u32> ends_;
  // Only where graphs have cycles:
  struct Transition {
    u32 from, to, trail;
  };
  std::vector<bool> expanded_;
  std::vector<Transition> transitions_;
  std::vector<u32> exits_;  // states with a step that ends the search's sight: the program, or what is known
  std::vector<StateStore::Origin> nearest_;  // endless(): how to get to each state in the fewest steps
  std::set<LeadKey> lead_keys_;
  bool led_nowhere_ = false;  // a step of the state being expanded failed, so that nobody sees what others do after it
  bool out_of_memory_ = false;
  NodeId cut_ = kNoNode;
  solve::PathConditions* conditions_;
  std::vector<Product::Sides> sides_{{}};
  std::map<Product::Sides, u32> side_numbers_{{{}, 0}};
};

}  // namespace plait

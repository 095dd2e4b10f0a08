// Maximal path causality as published (Yi, Huang, FSE 2018, "003"): Algorithms 1 to 3, strategies 1 and 2.
//
//   run the default schedule and inputs
//   for each run with a prefix: combine what its threads did beyond the prefix, as it was or with its last branch the
//     other way (003, §3.4.1); each combination that the constraints allow is a prefix to be run
//   strategy 2: where they do not, threads that are not to blame go on alone, and the combination is asked for again
//     with what they have shown (003, §3.4.2)
//   no prefix left: decide what is still missing over all that was learned, as explorer `paths` does
//
// Deviations: the last line; constraints are over the threads' paths in all runs so far, since a trace lacks what
// others have shown; what a thread does behind its last branch may happen and need not; a combination in which one
// thread could not even go its own way is not asked for. Threads to blame are those whose path conditions are in the
// core.
#include <cmath>
#include <deque>

#include "explore/counted_solver.h"
#include "explore/cumulative.h"
#include "explore/cumulative_search.h"

namespace plait {
namespace {

constexpr size_t kMostCombinations = 1 << 16;  // of one run

/// A thread's part of a prefix: it has performed `last`, with this result, or with none of these.
struct Way {
  NodeId last = kNoNode;  // kNoNode: whatever it does
  std::optional<u64> result = {};
  std::vector<u64> not_results = {};
  NodeId tail = kNoNode;  // it may go on this far
  auto operator<=>(const Way&) const = default;
};
using Ways = std::vector<Way>;  // by thread

struct Item {
  Ways prefix;
  Path path;
  Ways wanted = {};  // strategy 2: the combination that this run is to make possible
  ThreadSet blamed = 0;
};

class Mpc : public Cumulative {
 public:
  explicit Mpc(Exploration& exploration) : Cumulative(exploration, true) { path_budget_ = 1; }

 private:
  struct Branch {
    NodeId node;
    u64 result;
  };

  Attempt mine() override {
    if (!exploration_.runners.labels()) return Attempt::Complete;  // nothing to combine
    std::deque<Item> work;
    note_path();
    split({Ways(knowledge_.threads()), {}}, work);
    while (!work.empty()) {
      if (control_.stopped()) return Attempt::Stopped;
      const Item item = std::move(work.front());
      work.pop_front();
      const Attempt ran = run(item);
      if (ran != Attempt::Complete) return ran;
      split(item, work);
      if (!obstacle_.empty()) return Attempt::Complete;  // the searches may know better
    }
    return Attempt::Complete;
  }

  Attempt run(const Item& item) {
    if (control_.take(1) == 0) return Attempt::Stopped;
    forget_labels_between_runs();
    if (inputs_) inputs_->choose(item.path.inputs);
    Batch batch;
    Request request{};
    request.tail = Tail::First;
    request.flags = flags();
    batch.add(request, schedule_of(item.path));
    bool learned = false, grew = false;
    const bool all = exploration_.run(exploration_.crew.first(), batch, [&](u32, const RunView& run) {
      grew = run.outgrown;
      learned = !grew && learn(run, tally_, [](u64, u64) { return true; });
    });
    tally_.flush();
    if (grew) return Attempt::SharingGrew;
    if (!all || !learned || control_.stopped()) return Attempt::Stopped;
    note_path();
    return Attempt::Complete;
  }

  /// The run that was learned last: its threads' branches, and the tuple of its paths.
  void note_path() {
    branches_.assign(knowledge_.threads(), {});
    std::vector<NodeId> path;
    for (ThreadId t = 0; t < knowledge_.threads(); ++t) {
      NodeId at = knowledge_.stood_at(t);
      path.push_back(at);
      for (; at != kNoNode && knowledge_.node(at).parent != kNoNode; at = knowledge_.node(at).parent) {
        const NodeId before = knowledge_.node(at).parent;
        if (PathEvents::has_sides(knowledge_.node(before))) branches_[t].push_back({before, knowledge_.node(at).edge});
      }
      std::reverse(branches_[t].begin(), branches_[t].end());
    }
    paths_seen_.insert(std::move(path));
    control_.counters.paths.store(paths_seen_.size());
  }

  bool is_bit(NodeId id) const {
    const Node& node = knowledge_.node(id);
    return node.op == Op::Label && knowledge_.expressions().term(node.operand_term).width == 1;
  }

  /// What a thread can do instead, given its prefix: first what it did.
  std::vector<Way> choices_of(ThreadId thread, const Way& before) {
    const std::vector<Branch>& all = branches_[thread];
    size_t next = 0;
    std::vector<Way> choices(1);
    for (; before.last != kNoNode && next < all.size() && all[next].node != before.last; ++next) {
    }
    Way& whole = choices[0];
    whole.tail = knowledge_.stood_at(thread);
    if (!all.empty()) {
      whole.last = all.back().node;
      whole.result = all.back().result;
    }
    // The branch at which the prefix ends has been taken one way, of several that are left.
    const bool is_open = before.last != kNoNode && next < all.size() && !before.result && !is_bit(before.last);
    if (is_open) {
      Way other = before;
      other.not_results.push_back(all[next].result);
      choices.push_back(std::move(other));
    }
    if (before.last != kNoNode) ++next;
    for (; next < all.size(); ++next) choices.push_back({all[next].node, {}, {all[next].result}});
    std::erase_if(choices, [&](const Way& way) { return !can_go_alone(thread, way); });
    return choices;
  }

  /// Cheap, and most are refuted: the thread's own conditions, whatever it reads.
  bool can_go_alone(ThreadId thread, const Way& way) {
    if (way.last == kNoNode || way.result) return true;
    const auto [known, fresh] = alone_.try_emplace(way, true);
    if (!fresh) return known->second;
    PathEvents events(knowledge_, terms());
    events.add_way_to(way.last);
    events.read_anything();
    events.finish();
    if (!events.obstacle().empty()) return true;
    solve::PathSolver solver(events.problem(), terms(), exploration_.options.solver_seconds);
    const auto answer = ask(solver, {goal_of(events, way)});
    return known->second = answer.kind != solve::PathAnswer::Kind::No;
  }

  static solve::PathGoal goal_of(const PathEvents& events, const Way& way) {
    return {events.event_of(way.last), way.not_results, way.result};
  }

  solve::PathAnswer ask(solve::PathSolver& solver, const std::vector<solve::PathGoal>& goals) {
    const auto begin = std::chrono::steady_clock::now();
    solve::PathAnswer answer = solver.solve(goals);
    using Kind = solve::PathAnswer::Kind;
    count_query(control_.counters,
                answer.kind == Kind::Unknown ? std::nullopt : std::optional(answer.kind == Kind::Yes), begin);
    return answer;
  }

  /// Phi_mpc of a combination.
  solve::PathAnswer solve(const Ways& ways, Path& path) {
    PathEvents events(knowledge_, terms());
    for (const Way& way : ways) {
      if (way.last != kNoNode) events.add_way_to(way.last);
      if (way.tail != kNoNode) events.add_way_to(way.tail);
    }
    add_parents(events, ways);
    if (!events.finish()) {
      obstacle_of_constraints_ = events.obstacle();
      return {};
    }
    std::vector<solve::PathGoal> goals;
    for (const Way& way : ways)
      if (way.last != kNoNode) goals.push_back(goal_of(events, way));
    solve::PathSolver solver(events.problem(), terms(), exploration_.options.solver_seconds);
    solve::PathAnswer answer = ask(solver, goals);
    if (answer.kind == solve::PathAnswer::Kind::Yes) path = events.path_of(answer);
    return answer;
  }

  /// A thread of which nothing is demanded may go the way of the run, so that it can start others.
  void add_parents(PathEvents& events, const Ways& ways) {
    for (ThreadId t = 0; t < ways.size(); ++t)
      if (ways[t] == Way() && knowledge_.stood_at(t) != kNoNode) events.add_way_to(knowledge_.stood_at(t));
  }

  /// Prefixes that a run with this prefix makes known (split(pre, p) of the paper).
  void split(const Item& item, std::deque<Item>& work) {
    Ways before = item.prefix;
    before.resize(knowledge_.threads());
    std::vector<std::vector<Way>> choices;
    double combinations = 1;
    for (ThreadId t = 0; t < knowledge_.threads(); ++t) {
      const bool is_fixed = item.blamed & bit(t);
      choices.push_back(is_fixed ? std::vector{item.wanted[t]} : choices_of(t, before[t]));
      combinations *= static_cast<double>(choices.back().size());
    }
    if (combinations > kMostCombinations) return;  // too many: the searches know better
    std::vector<size_t> chosen(choices.size(), 0);
    const auto next = [&] {
      for (size_t t = 0; t < chosen.size(); ++t) {
        if (++chosen[t] < choices[t].size()) return true;
        chosen[t] = 0;
      }
      return false;
    };
    if (!item.blamed && !next()) return;  // all as it was
    do {
      Ways ways;
      for (size_t t = 0; t < chosen.size(); ++t) ways.push_back(choices[t][chosen[t]]);
      look_at(before, ways, work);
    } while (!control_.stopped() && obstacle_of_constraints_.empty() && next());
  }

  void look_at(const Ways& before, const Ways& ways, std::deque<Item>& work) {
    Item item{ways, {}};
    const solve::PathAnswer answer = solve(ways, item.path);
    if (answer.kind == solve::PathAnswer::Kind::Yes) return work.push_back(std::move(item));
    if (answer.kind == solve::PathAnswer::Kind::No && exploration_.options.unsat_cores)
      extend(before, ways, answer.conflict, work);
  }

  /// Strategy 2: the largest set of threads to blame first, as it leaves most of the others free to go on.
  void extend(const Ways& before, const Ways& ways, ThreadSet core, std::deque<Item>& work) {
    std::vector<ThreadSet> sets;
    for (ThreadSet set = core; set; set = (set - 1) & core) sets.push_back(set);
    std::sort(sets.begin(), sets.end(),
              [](ThreadSet a, ThreadSet b) { return std::pair(count(b), a) < std::pair(count(a), b); });
    for (const ThreadSet blamed : sets) {
      Ways prefix = ways;
      bool goes_on = false;
      for (ThreadId t = 0; t < ways.size(); ++t) {
        if (blamed & bit(t)) prefix[t] = before[t];
        goes_on |= !(blamed & bit(t)) && ways[t].last != kNoNode && !ways[t].result;
      }
      if (!goes_on || !extended_.insert({prefix, ways}).second) continue;
      Item item{prefix, {}, ways, blamed};
      if (solve(prefix, item.path).kind != solve::PathAnswer::Kind::Yes) continue;
      work.push_back(std::move(item));
      return;
    }
  }

  const solve::InputTerms& terms() { return inputs_ ? inputs_->conditions().terms() : no_inputs_; }
  void forget_labels_between_runs() {
    if (!inputs_) forget_labels(exploration_.runners);
  }

  const solve::InputTerms no_inputs_;
  std::vector<std::vector<Branch>> branches_;  // of the last run, by thread
  std::set<std::vector<NodeId>> paths_seen_;
  std::map<Way, bool> alone_;
  std::set<std::pair<Ways, Ways>> extended_;
  std::string obstacle_of_constraints_;
};

class MpcExplorer : public Explorer {
 public:
  Attempt attempt(Exploration& exploration) override {
    return attempt_paths(exploration, obstacle_, [](Exploration& e) { return std::make_unique<Mpc>(e); });
  }

 private:
  std::string obstacle_;
};

}  // namespace

std::unique_ptr<Explorer> make_mpc() { return std::make_unique<MpcExplorer>(); }

}  // namespace plait

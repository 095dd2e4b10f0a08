#include "check/robustness.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <set>

#include "knowledge/behaviour.h"

namespace plait {
namespace {

using Signature = std::pair<u64, u64>;

Signature hashed(const std::vector<u64>& words) {
  const XXH128_hash_t hash = XXH3_128bits(words.data(), words.size() * 8);
  return {hash.low64, hash.high64};
}

/// All that a program can do under one model.
struct Behaviours {
  bool complete = false;
  std::vector<std::string> obstacles;
  std::set<Signature> histories, classes;
  std::set<std::string> outputs;
  std::map<BugKey, Failure> failures;
  std::set<u32> buffered;  // sites of stores that wait in buffers
};

/// What the threads of a tree of histories have received, by node.
std::vector<Signature> histories_of(const Behaviour& knowledge) {
  std::vector<Signature> of(knowledge.size());
  for (NodeId id = 1; id < knowledge.size(); ++id) {  // parents come first
    const Node& node = knowledge.node(id);
    if (node.parent == kNoNode) {
      of[id] = hashed({node.thread, static_cast<u64>(node.op), node.location});
      continue;
    }
    const Signature before = of[node.parent];
    const Node& parent = knowledge.node(node.parent);
    of[id] =
        machine::is_branching(parent.op, parent.detail) ? hashed({before.first, before.second, node.edge}) : before;
  }
  return of;
}

class Comparer {
 public:
  Comparer(const MakeRunners& make_runners, const Visibility& begin_with, const ExploreOptions& options,
           const Limits& limits, const FindingsOptions& wanted)
      : make_runners_(make_runners),
        visibility_(begin_with),
        options_(options),
        wanted_(wanted),
        limits_(limits),
        clock_(limits) {
    wanted_.keep_going = true;
    options_.races = false;
    options_.begin_with = nullptr;
    options_.taught = nullptr;
  }

  Comparison compare() {
    Comparison result;
    for (bool classes : {true, false}) {
      result = Comparison{};
      result.classes_compared = classes;
      run(result);
      if (result.complete || out_of_time()) break;
    }
    result.executions = executions_;
    return result;
  }

 private:
  using Strong = std::vector<StrongerStore>;

  void run(Comparison& result) {
    Behaviours weak;
    // What counts as shared must be the same for both: it only grows.
    do {
      extent_ = visibility_.extent();
      sc_ = explore(machine::rules_of(MemoryModel::Sc), {}, result.classes_compared);
      weak = explore(options_.memory, {}, result.classes_compared);
    } while (visibility_.extent() != extent_ && !out_of_time());
    result.complete = sc_.complete && weak.complete;
    for (const auto* side : {&sc_, &weak})
      for (const std::string& obstacle : side->obstacles)
        if (std::find(result.obstacles.begin(), result.obstacles.end(), obstacle) == result.obstacles.end())
          result.obstacles.push_back(obstacle);
    if (!result.complete) return;
    subtract(weak);
    result.classes = weak.classes.size();
    result.histories = weak.histories.size();
    result.outputs.assign(weak.outputs.begin(), weak.outputs.end());
    for (const auto& [key, failure] : weak.failures) result.failures.push_back(failure);
    if (result.beyond()) look_for_remedy(weak, result);
  }

  void look_for_remedy(const Behaviours& weak, Comparison& result) {
    if (weak.buffered.size() > kMaxStrongStores) return;
    Strong all;
    // Where they are barriers, release stores may do.
    for (const Order order : {Order::Release, Order::SeqCst}) {
      if (order == Order::Release && !options_.memory.barriers) continue;
      all.clear();
      for (const u32 site : weak.buffered) all.push_back({site, order});
      if (removes_all(all, result)) break;
      if (order == Order::SeqCst) return;
    }
    // Later ones first: a fence behind the last store does for those before it.
    for (size_t i = all.size(); i-- > 0;) {
      Strong without = all;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
      if (removes_all(without, result)) all = without;
    }
    if (options_.memory.barriers)
      for (StrongerStore& store : all) {
        if (store.order == Order::Release) continue;
        store.order = Order::Release;
        if (!removes_all(all, result)) store.order = Order::SeqCst;
      }
    if (out_of_time()) return;
    for (StrongerStore& store : all) {
      const size_t left = all.size() == 1 ? 0 : beyond({store}, result);
      store.removes = result.beyond() > left ? result.beyond() - left : 0;
    }
    result.remedy = std::move(all);
  }

  bool removes_all(const Strong& strong, const Comparison& result) { return beyond(strong, result) == 0; }

  /// How many behaviours beyond SC these leave; more than there were if that is not known.
  size_t beyond(const Strong& strong, const Comparison& result) {
    Behaviours left = explore(options_.memory, strong, result.classes_compared);
    if (!left.complete || visibility_.extent() != extent_) return result.beyond() + 1;
    subtract(left);
    return left.classes.size() + left.histories.size() + left.outputs.size() + left.failures.size();
  }

  template <class Set>
  static void remove(Set& from, const Set& what) {
    for (const auto& item : what) {
      if constexpr (requires { item.second.kind; })
        from.erase(item.first);
      else
        from.erase(item);
    }
  }
  void subtract(Behaviours& from) const {
    remove(from.histories, sc_.histories);
    remove(from.classes, sc_.classes);
    remove(from.outputs, sc_.outputs);
    remove(from.failures, sc_.failures);
  }

  bool out_of_time() {
    clock_.check_limits();
    return clock_.stopped() || interrupted_;
  }

  Behaviours explore(const machine::MemoryRules& memory, const Strong& strong, bool classes) {
    Behaviours found;
    if (out_of_time()) return found;
    Limits limits;
    if (limits_.seconds) limits.seconds = std::max(0.01, *limits_.seconds - clock_.seconds());
    if (limits_.executions)
      limits.executions = *limits_.executions > executions_ ? *limits_.executions - executions_ : 0;
    visibility_.memory_model = memory.name;
    visibility_.strong.clear();
    for (const StrongerStore& store : strong) visibility_.strong.push_back({store.site, store.order});
    const std::unique_ptr<Runners> runners = make_runners_(visibility_);
    Control control(limits);
    Findings findings(control, wanted_);
    Exploration exploration{*runners, options_, control, findings};
    exploration.options.memory = memory;
    exploration.options.classes = classes;
    exploration.options.merge = !classes;
    exploration.options.learned = [&](const Behaviour& knowledge, const std::vector<std::vector<NodeId>>& ends) {
      learn(found, knowledge, ends, classes);
    };
    const bool complete = plait::explore(*make_cumulative(), exploration);
    visibility_ = runners->visibility();
    executions_ += control.counters.executions;
    interrupted_ |= control.reason() == StopReason::Interrupted;
    found.obstacles = findings.obstacles();
    if (const std::string& why = findings.fallback().why; !why.empty())
      found.obstacles.push_back("results cannot be predicted: " + why);
    if (control.reason() == StopReason::Timeout) found.obstacles.push_back("timeout");
    if (control.reason() == StopReason::MaxExecutions) found.obstacles.push_back("max-executions");
    found.complete = complete && found.obstacles.empty();
    for (const FoundBug& bug : findings.bugs()) found.failures.emplace(bug.key, bug.failure);
    for (const FoundOutcome& outcome : findings.outcomes()) found.outputs.insert(outcome.output);
    return found;
  }

  static void learn(Behaviours& found, const Behaviour& knowledge, const std::vector<std::vector<NodeId>>& ends,
                    bool classes) {
    for (NodeId id = 1; id < knowledge.size(); ++id)
      if (!knowledge.is_dead(id) && knowledge.is_buffered(knowledge.node(id)) && knowledge.node(id).site != kNoSite)
        found.buffered.insert(knowledge.node(id).site);
    if (!classes) return;
    const std::vector<Signature> histories = histories_of(knowledge);
    found.histories.insert(histories.begin() + 1, histories.end());
    std::vector<u64> words;
    for (const std::vector<NodeId>& end : ends) {
      words.clear();
      for (const NodeId id : end) {
        words.push_back(id < histories.size() ? histories[id].first : 0);
        words.push_back(id < histories.size() ? histories[id].second : 0);
      }
      found.classes.insert(hashed(words));
    }
  }

  const MakeRunners& make_runners_;
  Visibility visibility_;  // what counts as shared grows with each exploration
  ExploreOptions options_;
  FindingsOptions wanted_;
  Limits limits_;
  Control clock_;
  u64 executions_ = 0;
  size_t extent_ = 0;
  bool interrupted_ = false;
  Behaviours sc_;
};

}  // namespace

Comparison compare_with_sc(const MakeRunners& make_runners, const Visibility& begin_with, const ExploreOptions& options,
                           const Limits& limits, const FindingsOptions& wanted) {
  return Comparer(make_runners, begin_with, options, limits, wanted).compare();
}

}  // namespace plait

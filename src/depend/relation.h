// Which reads the events of a trace depend on: the graph, restricted to what has happened (002 §4.3).
//
// A read `r` of a thread can return another value without changing what the thread does next until its value has
// reached a control point. From the trace it is known which operations came behind `r`:
//   - as long as no operation was left out of the trace (the positions say so), memory that only operations access
//   holds
//     nothing that was stored since but what the trace shows; its own loads are reads like `r`
//   - as long as the site of `r` did not occur again, control has not come around to it
// Both cut paths off (`near`); behind that, all paths count (`far`).
#pragma once
#include <memory>
#include <mutex>
#include <unordered_map>

#include "depend/graph.h"
#include "solve/causal_model.h"
#include "solve/dependence.h"

namespace plait::depend {

class Relation {
 public:
  explicit Relation(std::shared_ptr<const Graph> graph) : graph_(std::move(graph)) {}
  /// Of the steps of a trace. Called by several engine threads at once.
  std::shared_ptr<const solve::Dependence> of(const solve::CausalModel& trace) const;
  const Graph& graph() const { return *graph_; }

 private:
  struct Reached {
    std::vector<bool> nodes;
  };
  const Reached& reached(u32 site, bool near) const;
  static bool any(const Reached& reached, const std::vector<u32>& nodes);
  bool happens_anyway(const Reached& reached, const solve::Step& step) const;
  bool can_change(const solve::Step& read) const;
  void follow(const solve::CausalModel& trace, u32 read, solve::Dependence& found) const;

  std::shared_ptr<const Graph> graph_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<u64, std::unique_ptr<const Reached>> known_;  // by site, and whether near
};

}  // namespace plait::depend

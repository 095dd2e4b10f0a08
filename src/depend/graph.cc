#include "depend/graph.h"

#include <algorithm>
#include <unordered_set>

namespace plait::depend {

using namespace depends;

class Joiner {
 public:
  Joiner() : hooked_(kCommon, false) { hooked_[kMemory] = hooked_[kPointer] = true; }

  void add(const UnitGraph& unit) {
    std::vector<u32> number(unit.nodes, kCommon);
    for (u32 node = 0; node < kCommon; ++node) number[node] = node;
    for (const UnitGraph::Name& name : unit.names) {
      const auto [at, is_new] = names_.try_emplace(name.name, static_cast<u32>(hooked_.size()));
      if (is_new) hooked_.push_back(name.hooked);
      number[name.node] = at->second;
    }
    for (u32 node = kCommon; node < unit.nodes; ++node) {
      if (number[node] != kCommon) continue;
      number[node] = static_cast<u32>(hooked_.size());
      hooked_.push_back(false);
    }
    defined_.insert(unit.defined.begin(), unit.defined.end());
    taken_.insert(unit.taken.begin(), unit.taken.end());
    for (UnitGraph::Called called : unit.called) {
      for (u32* node : {&called.arguments, &called.enter, &called.exit, &called.result}) *node = number[*node];
      called_.push_back(called);
    }
    for (const auto& [from, to] : unit.edges) edges_.emplace_back(number[from], number[to]);
    for (const UnitGraph::Guarded& edge : unit.guarded)
      guarded_.push_back({edge.variable, number[edge.from], number[edge.to]});
    for (const UnitGraph::AtSite& at : unit.sites) place(graph_->sites_[at.row], at.kind, number[at.node]);
  }

  std::unique_ptr<const Graph> finish() {
    for (const UnitGraph::Guarded& edge : guarded_)
      if (taken_.contains(edge.variable)) edges_.emplace_back(edge.from, edge.to);
    for (const UnitGraph::Called& called : called_) call_unknown(called);
    std::sort(edges_.begin(), edges_.end());
    edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
    graph_->begin_.assign(hooked_.size() + 1, 0);
    for (const auto& [from, to] : edges_) ++graph_->begin_[from + 1];
    for (size_t i = 1; i < graph_->begin_.size(); ++i) graph_->begin_[i] += graph_->begin_[i - 1];
    for (const auto& [from, to] : edges_) graph_->to_.push_back(to);
    graph_->hooked_ = hooked_;
    return std::move(graph_);
  }

 private:
  static void place(Graph::Site& site, SiteKind kind, u32 node) {
    switch (kind) {
      case SiteKind::Source: site.sources.push_back(node); break;
      case SiteKind::Control: site.control.push_back(node); break;
      case SiteKind::Entered: site.entered.push_back(node); break;
      case SiteKind::Data: site.data.push_back(node); break;
      case SiteKind::Opaque: site.opaque = true; break;
    }
  }

  /// What a function that no unit has compiled does is decided by all that it can look at.
  void call_unknown(const UnitGraph::Called& called) {
    if (defined_.contains(called.name)) return;
    edges_.emplace_back(called.arguments, called.exit);
    edges_.emplace_back(called.arguments, called.result);
    if (called.kind == External::Quiet) return;
    for (const u32 to : {called.exit, called.result}) edges_.emplace_back(u32{kMemory}, to);
    for (const u32 to : {u32{kMemory}, u32{kPointer}}) edges_.emplace_back(called.arguments, to);
    if (called.kind == External::Reads) return;
    edges_.emplace_back(called.arguments, u32{kCalled});
    edges_.emplace_back(called.enter, u32{kCalled});
    edges_.emplace_back(u32{kCalled}, called.exit);
    edges_.emplace_back(u32{kCalled}, called.result);
  }

  std::unique_ptr<Graph> graph_ = std::make_unique<Graph>();
  std::vector<bool> hooked_;
  std::unordered_map<u64, u32> names_;
  std::unordered_set<u64> defined_, taken_;
  std::vector<UnitGraph::Called> called_;
  std::vector<std::pair<u32, u32>> edges_;
  std::vector<UnitGraph::Guarded> guarded_;
};

std::unique_ptr<const Graph> Graph::of_program(const std::string& program) {
  Joiner joiner;
  bool any = false;
  for (const Block& block : read_blocks(program)) {
    UnitGraph unit;
    if (!read(block, unit)) return nullptr;
    joiner.add(unit);
    any = true;
  }
  return any ? joiner.finish() : nullptr;
}

}  // namespace plait::depend

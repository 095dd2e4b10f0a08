#include "depend/chains.h"

#include <algorithm>

namespace plait::depend {

Chains::Chains(const Graph& graph) : graph_(graph), into_(graph.nodes()), meanings_(graph.nodes()) {
  for (u32 node = 0; node < graph.nodes(); ++node)
    for (const u32 to : graph.from(node)) into_[to].push_back(node);
  for (const auto& [row, site] : graph.sites()) {
    for (const u32 node : site.sources) meanings_[node].push_back({row, true});
    for (const auto* nodes : {&site.control, &site.data})
      for (const u32 node : *nodes) meanings_[node].push_back({row, false});
  }
  for (std::vector<Meaning>& meanings : meanings_)
    std::sort(meanings.begin(), meanings.end(), [](const Meaning& a, const Meaning& b) { return a.row < b.row; });
}

std::vector<Chain> Chains::to(u32 row, Why why) const {
  std::vector<Chain> chains;
  const auto found = graph_.sites().find(row);
  if (found == graph_.sites().end()) return chains;
  const Graph::Site& site = found->second;
  const std::vector<u32>& targets = why == Why::Happens ? site.control : why == Why::Entered ? site.entered : site.data;
  constexpr u32 kUnseen = ~u32{0};
  std::vector<u32> next(graph_.nodes(), kUnseen);  // on the way to a target; a target leads to itself
  std::vector<u32> order;
  for (const u32 target : targets) {
    if (next[target] != kUnseen) continue;
    next[target] = target;
    order.push_back(target);
  }
  for (size_t i = 0; i < order.size(); ++i)
    for (const u32 before : into_[order[i]]) {
      if (next[before] != kUnseen) continue;
      next[before] = order[i];
      order.push_back(before);
    }
  std::vector<bool> told_row;
  for (const u32 node : order) {
    for (const Meaning& meaning : meanings_[node]) {
      if (!meaning.is_read) continue;
      if (told_row.size() <= meaning.row) told_row.resize(meaning.row + 1);
      if (told_row[meaning.row]) continue;
      told_row[meaning.row] = true;
      Chain chain{meaning.row, why, {node}};
      while (next[chain.nodes.back()] != chain.nodes.back()) chain.nodes.push_back(next[chain.nodes.back()]);
      chains.push_back(std::move(chain));
    }
  }
  return chains;
}

std::string_view common_name(u32 node) {
  switch (node) {
    case depends::kMemory: return "memory that some store may have written";
    case depends::kPointer: return "memory that a store through a pointer may have written";
    case depends::kCalled: return "code that was not compiled with Plait, which may call back";
    case depends::kEnd: return "the end of a thread's function";
    case depends::kLongJump: return "longjmp";
    default: return "";
  }
}

}  // namespace plait::depend

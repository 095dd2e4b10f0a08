// Why an operation depends on a read: the ways through the graph, one for each read.
#pragma once
#include <string_view>
#include <vector>

#include "depend/graph.h"

namespace plait::depend {

enum class Why : u8 {
  Happens,  // whether it happens, as far as its function decides
  Entered,  // the same, as far as callers decide
  Brings,   // what it stores, or what else it brings
};

struct Chain {
  u32 read = 0;  // row of the read's site
  Why why = Why::Happens;
  std::vector<u32> nodes;  // from the read to the operation
};

class Chains {
 public:
  explicit Chains(const Graph&);
  /// To the site of this row: a shortest chain from each read that it depends on.
  std::vector<Chain> to(u32 row, Why) const;
  /// Sites that stand for this node, by their rows.
  struct Meaning {
    u32 row;
    bool is_read;  // the value that it receives; else whether it happens, or what it brings
  };
  const std::vector<Meaning>& meanings(u32 node) const { return meanings_[node]; }

 private:
  const Graph& graph_;
  std::vector<std::vector<u32>> into_;
  std::vector<std::vector<Meaning>> meanings_;
};

/// For nodes that every program has: "memory"; empty: it is none of them.
std::string_view common_name(u32 node);

}  // namespace plait::depend

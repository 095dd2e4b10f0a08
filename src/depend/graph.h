// The dependence graph of a program: the graphs of its units, joined by the names of their nodes.
//
// This folder owns what the compiler says about dependences, and what follows for a trace (002 §4). It depends on
// solve/ (traces) and trace/.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "depend/block.h"

namespace plait::depend {

class Graph {
 public:
  /// Null if the program says nothing about dependences.
  static std::unique_ptr<const Graph> of_program(const std::string& program);

  struct Site {
    std::vector<u32> sources, control, entered, data;
    bool opaque = false;
  };
  /// Null: nothing is known of it.
  const Site* site(u32 offset) const {
    const auto found = sites_.find((offset & ~1u) / depends::kSiteBytes);
    return found == sites_.end() ? nullptr : &found->second;
  }
  const std::unordered_map<u32, Site>& sites() const { return sites_; }
  u32 nodes() const { return static_cast<u32>(begin_.size()) - 1; }
  u64 edges() const { return to_.size(); }
  std::span<const u32> from(u32 node) const { return {to_.data() + begin_[node], begin_[node + 1] - begin_[node]}; }
  /// Memory that is accessed by operations only.
  bool is_hooked_memory(u32 node) const { return hooked_[node]; }

 private:
  friend class Joiner;
  std::vector<u32> begin_, to_;
  std::vector<bool> hooked_;
  std::unordered_map<u32, Site> sites_;  // by row of the site table
};

}  // namespace plait::depend

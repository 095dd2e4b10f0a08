// Wakeup trees of optimal dynamic partial order reduction (Abdulla, Aronis, Jonsson, Sagonas: POPL 2014, §6), over
// events of which only their relations are known.
#pragma once
#include <functional>
#include <vector>

#include "exogenous/catalogue.h"

namespace plait::exogenous {

/// Descriptions of events, in order.
using Sequence = std::vector<u32>;

/// Does the order of two events matter? The same event depends on itself.
using Dependent = std::function<bool(u32 a, u32 b)>;
using SameEvent = std::function<bool(u32 a, u32 b)>;

struct Branch {
  u32 event;
  std::vector<Branch> children = {};
  // Of a leaf.
  bool may_fail = false;                // its event is perhaps not possible
  u32 first = 0;                        // what it was reversed with: a description
  std::vector<Sequence> absorbed = {};  // sequences, from the parent on, that need not be added because of this leaf
};

class WakeupTrees {
 public:
  WakeupTrees(SameEvent same, Dependent dependent) : same_(std::move(same)), dependent_(std::move(dependent)) {}

  /// Can the event come first in some order that is equivalent to the sequence, or to one that goes on from there?
  bool is_weak_initial(u32 event, const Sequence& sequence) const {
    for (const u32 other : sequence) {
      if (same_(event, other)) return true;
      if (dependent_(event, other)) return false;
    }
    return true;
  }

  /// Adds the sequence behind the node with these branches, unless a leaf covers it.
  void insert(std::vector<Branch>& branches, Sequence sequence, bool may_fail, u32 first) const {
    for (Branch& branch : branches) {
      if (!is_weak_initial(branch.event, sequence)) continue;
      if (branch.children.empty()) {
        branch.absorbed.push_back(std::move(sequence));
        return;
      }
      std::erase_if(sequence, [&](u32 event) { return same_(event, branch.event); });
      if (!sequence.empty()) insert(branch.children, std::move(sequence), may_fail, first);
      return;
    }
    std::vector<Branch>* at = &branches;
    for (const u32 event : sequence) at = &at->emplace_back(Branch{.event = event}).children;
    mark_leaf(branches.back(), may_fail, first);
  }

 private:
  static void mark_leaf(Branch& top, bool may_fail, u32 first) {
    Branch* leaf = &top;
    while (!leaf->children.empty()) leaf = &leaf->children.back();
    leaf->may_fail = may_fail;
    leaf->first = first;
  }

  SameEvent same_;
  Dependent dependent_;
};

}  // namespace plait::exogenous

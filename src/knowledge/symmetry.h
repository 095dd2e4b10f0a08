// Threads that can be taken for each other: children of one parent with one routine that begin alike and are joined in
// one row, or not at all. Which of them is where makes no difference where their known futures are equal.
//
// Nodes of such threads whose futures are equal are of one *kind*: the same operations on the same places with the same
// values and results, recursively, cycles included. What nobody else can notice does not count: reads of *private*
// cells, which nobody but the thread's parent before the fork has written, and the end of their block (the state of a
// std::thread). So arguments may differ, as long as nothing that others can notice does.
//
// A row of joins waits until all of its threads have ended, whatever their order. So how many of them have ended is all
// that counts, and who has not may be anyone.
#pragma once
#include <vector>

#include "knowledge/layout.h"
#include "knowledge/order.h"

namespace plait {

class Symmetry {
 public:
  Symmetry(const Behaviour& knowledge, const Layout& layout, const NodeOrder& order);

  struct Group {
    ThreadId parent;
    std::vector<ThreadId> members;  // in the order in which they are joined, if they are
  };
  /// Of at least two.
  const std::vector<Group>& groups() const { return groups_; }
  /// Adds all that can be taken for one of these threads. `apart`: groups for which that is not done, a bit each.
  ThreadSet closed(ThreadSet threads, u64 apart = 0) const;
  static bool is_apart(u64 apart, size_t group) { return group >= 64 || (apart >> group & 1) != 0; }
  NodeId root(ThreadId thread) const { return children_[thread].root; }

  /// Others that begin as that thread does. They may show what it has shown.
  ThreadSet similar(ThreadId thread) const;

  /// 0: it is like no other.
  u32 kind(NodeId id) const { return id < kinds_.size() ? kinds_[id] : 0; }
  /// A node of that thread that is of that kind; kNoNode: none is known.
  NodeId of_kind(u32 kind, ThreadId thread) const { return first_[kind][thread]; }

  /// A step that nobody else can notice, as far as is known.
  bool is_private(NodeId id) const { return id < is_private_.size() && is_private_[id]; }

  /// Does a thread's private memory hold what it is known to read there?
  bool finds_its_own(const u8* state, ThreadId thread) const;
  /// Calls f(flag's place in the state, whether it is set) for the thread's private blocks when it stands there.
  template <class F>
  void for_each_private_flag(ThreadId thread, NodeId at, F f) const {
    const std::vector<u32>& blocks = children_[thread].blocks;
    for (u32 i = 0; i < blocks.size(); ++i)
      layout_.for_each_flag(blocks[i], [&](u32 flag) { f(flag, (freed_[at] >> i & 1) != 0); });
  }

  /// Is all that was decided by `before` (the same knowledge, earlier) still right?
  bool confirms(const Symmetry& before) const;

 private:
  struct Own {
    u32 range;
    u64 value;
  };
  struct Child {
    ThreadId parent = kNoThread;
    u64 routine = 0;
    NodeId root = kNoNode, first = kNoNode;  // the first that is not private
    bool is_plain = true;                    // may be like others
    std::vector<std::pair<u32, u32>> joins;  // rows of joins, and its place there
    std::vector<Own> reads;                  // of private cells
    std::vector<u32> blocks;                 // that are private: ranges
  };
  bool find_children();
  bool has_siblings() const;
  void find_rows();
  void find_private_cells();
  bool looks_private(const Node& node) const;
  void find_private_nodes();
  void note_private(NodeId id);
  void find_freed();
  void find_kinds();
  bool refine();
  void find_groups();
  void drop_the_unlike();
  bool begin_alike(const Child& a, const Child& b) const;

  const Behaviour& knowledge_;
  const Layout& layout_;
  const std::vector<NodeId> order_;
  std::vector<bool> cyclic_;
  std::vector<Child> children_;
  std::vector<ThreadId> owner_;             // by cell; kNoThread: not private
  std::vector<bool> is_private_;            // by node
  std::vector<u64> freed_;                  // by node: the thread's private blocks that are freed there
  std::vector<bool> is_unclear_;            // by node: whether they are depends on how it came there
  std::vector<u32> kinds_;                  // by node
  std::vector<std::vector<NodeId>> first_;  // by kind and thread
  std::vector<Group> groups_, similar_;
};

}  // namespace plait

// What can still happen from a node on, as far as is known.
//
// - Nodes with equal futures (same operations, same results, recursively) have one representative. A search that puts
//   it in place of the node has fewer states: a thread that has ended, or whose past does not matter any more, does not
//   multiply them. When two futures turn out to differ after all, the next search tells them apart. Nodes on cycles
//   stand for themselves.
// - Loops that go round without getting anywhere: a thread that has performed the same operations with the same results
//   kTurns times in a row. One more such turn is left out of the search, which then is not complete (a private counter
//   may end the loop later).
// - Which resources (cells, objects, the output) a future reads and writes: steps that conflict with no other thread's
//   future need not be interleaved.
#pragma once
#include "knowledge/layout.h"
#include "knowledge/order.h"

namespace plait {

class Futures {
 public:
  /// `exit_matters`: the program can end while other threads run, so the order of its end and their steps counts.
  Futures(const Behaviour& knowledge, const Layout& layout, bool exit_matters);

  NodeId representative(NodeId id) const { return representative_[id]; }
  /// Stores of a thread that are the same to everybody, when they wait in its buffer, have one representative.
  NodeId store_representative(NodeId id) const { return store_representative_[id]; }
  /// Do many nodes have equal futures? Where few have, telling them apart costs little, and searches can go on for
  /// longer when more is learned.
  bool many_are_equal() const { return equal() * 5 > order_.nodes.size() * 2; }
  /// Nodes whose future equals that of another, which stands for them.
  size_t equal() const {
    size_t count = 0;
    for (const NodeId id : order_.nodes) count += representative_[id] != id;
    return count;
  }
  /// Some thread's graph has a cycle: a search can go on for ever without that thread, or with it alone.
  bool has_cycles() const { return order_.has_cycles; }

  /// Would this result only repeat what the thread has been through kTurns times in a row?
  bool goes_round(NodeId id, u64 result) const { return period_[id] != 0 && repeated_[id] == result; }

  /// Is all that a search decided by `before` (the same knowledge, earlier) still right? Then what could happen from
  /// each node on has not changed in what it touches, and nodes that stood for each other still may.
  bool confirms(const Futures& before) const;

  const std::vector<NodeId>& order() const { return order_.nodes; }
  const NodeOrder& node_order() const { return order_; }
  NodeId size() const { return static_cast<NodeId>(representative_.size()); }

  // For blockers.h: the node's own operation. Resources read and written, words() each; does it conflict with all?
  const u64* own(NodeId id) const { return own_.data() + static_cast<size_t>(id) * 2 * words_; }
  bool is_everything(NodeId id) const { return own_everything_[id] != 0; }
  /// Does it, or something behind it?
  bool leads_to_everything(NodeId id) const { return everything_[id] != 0; }

  const u64* future(NodeId id) const { return future_.data() + static_cast<size_t>(id) * 2 * words_; }

  // For cones: sets of resources, words() long. Resources here include the start and the end of every thread.
  u32 words() const { return words_; }
  bool may_write(NodeId id, const u64* resources) const {
    return meets(writes_later(id), resources) || everything_[id];
  }
  /// After the node's own operation.
  bool later_may_write(NodeId id, const u64* resources) const {
    const Node& node = knowledge_.node(id);
    if (node.forked != kNoNode && may_write(knowledge_.canonical(node.forked), resources)) return true;
    for (u32 edge = node.first_edge; edge; edge = knowledge_.edge(edge).next)
      if (may_write(knowledge_.target(knowledge_.edge(edge)), resources)) return true;
    return meets(own_.data() + static_cast<size_t>(id) * 2 * words_ + words_,
                 resources);  // what it writes may depend on what it reads
  }
  /// Adds what the node's own operation reads; true if that is new.
  bool add_reads(NodeId id, u64* resources) const {
    const u64* reads = own_.data() + static_cast<size_t>(id) * 2 * words_;
    bool grew = false;
    for (u32 w = 0; w < words_; ++w) {
      grew |= (reads[w] & ~resources[w]) != 0;
      resources[w] |= reads[w];
    }
    return grew;
  }
  void add_start(ThreadId thread, u64* resources) const {
    resources[start_of(thread) / 64] |= u64{1} << (start_of(thread) % 64);
  }
  /// Does somebody cut others off, or keep them from stepping? Then cones do not hold.
  bool has_atomic_sections() const { return has_atomic_sections_; }

  /// Does the operation of this store, when it leaves its buffer, conflict with the own operation of `other`, which may
  /// be such a store, too?
  bool meets_operation(NodeId store, NodeId other) const {
    const u64* own = own_.data() + static_cast<size_t>(store) * 2 * words_;
    const u64* its = own_.data() + static_cast<size_t>(other) * 2 * words_;
    for (u32 w = 0; w < words_; ++w)
      if (own[words_ + w] & (its[w] | its[words_ + w])) return true;
    return knowledge_.node(other).op == Op::AtomicBegin || knowledge_.node(other).op == Op::Exit;
  }
  bool writes(NodeId id, const u64* resources) const {
    return meets(own_.data() + (static_cast<size_t>(id) * 2 + 1) * words_, resources);
  }

  /// Does the node's own operation conflict with something in the future of `other`?
  bool conflicts(NodeId id, NodeId other) const {
    const u64* own = own_.data() + static_cast<size_t>(id) * 2 * words_;
    const u64* future = future_.data() + static_cast<size_t>(other) * 2 * words_;
    for (u32 w = 0; w < words_; ++w)
      if ((own[w] & future[words_ + w]) | (own[words_ + w] & (future[w] | future[words_ + w]))) return true;
    return everything_[id] || everything_[other];
  }

 private:
  static constexpr u32 kTurns = 64, kTurnsOfPaths = 32;
  static constexpr u32 kLongestPeriod = 4;  // operations of one turn
  void find_loops();
  u32 start_of(u32 thread) const { return first_thread_ + thread; }
  u32 end_of(u32 thread) const { return first_thread_ + threads_ + thread; }
  const u64* writes_later(NodeId id) const { return future_.data() + (static_cast<size_t>(id) * 2 + 1) * words_; }
  bool meets(const u64* a, const u64* b) const {
    for (u32 w = 0; w < words_; ++w)
      if (a[w] & b[w]) return true;
    return false;
  }

  const Behaviour& knowledge_;
  NodeOrder order_;
  u32 threads_;
  u32 first_thread_;  // resources of threads begin here
  u32 words_;
  bool has_atomic_sections_ = false;
  std::vector<NodeId> representative_;
  std::vector<NodeId> store_representative_;
  std::vector<u64> own_, future_;  // per node: resources read, resources written
  std::vector<u8> period_;         // > 0: the node stands in a loop that goes round
  std::vector<u64> repeated_;      // and this is the result that goes on with it
  // Conflicts with all others: atomic sections, exits that cut others off, what no run has shown.
  std::vector<u8> own_everything_;  // the node's own operation
  std::vector<u8> everything_;      // something in its future
};

}  // namespace plait

// Behaviour graphs (docs/exploration.md): for every thread, all local histories that runs have shown.
//
// A node is an operation that the thread performs; an edge is the result it received. Operations without a choice of
// result have one edge. By local determinism the path of results from the root fixes the node. A node whose operation
// no run has shown yet is `Unknown`: an edge that leads there is not known enough to be used.
//
//   main's root ──► Load x ──0──► Store y ──► End
//                        └─1──► End
//
// Without fingerprints the graph is a tree. With them, two histories that leave the thread in the same state share a
// node, and loops become cycles. Both equalities are sound, so their closure is: same history, same node; same
// fingerprint, same node; and where two nodes turn out to be one, so do the nodes behind their equal edges. (One
// history may show several fingerprints: stale stack slots.)
//
// Child threads have one root per (identity, routine, argument, clock at the fork): all that a parent can hand over
// besides shared memory.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "knowledge/expressions.h"
#include "knowledge/trace_filter.h"
#include "machine/sync.h"
#include "trace/session.h"

namespace plait {

inline constexpr NodeId kNoNode = 0;
inline constexpr u64 kNoWide = ~u64{0};

struct Node {
  enum class State : u8 {
    Unknown,  // the thread got here, what it does next is not known
    Known,
    Failed,  // the thread fails here, whatever others do
  };
  u64 location = 0;
  u64 operand = 0;  // 16-byte operations: numbers of wide values
  u64 extra = 0;
  u64 edge = 0;             // the result that led here first
  NodeId parent = kNoNode;  // and from where: a smaller number; kNoNode: a root
  u32 first_edge = 0;
  NodeId forked = kNoNode;  // Fork: the child's root
  u32 position = 0;         // of a root: where its thread's positions begin
  u32 site = kNoSite;
  u32 range = 0;  // memory: index in ranges()
  u32 text = 0;   // Output: number of what is written
  // Where reads are symbols: the operand, and what is expected, if they are expressions.
  u32 operand_term = 0;
  u32 extra_term = 0;
  bool is_symbol = false;     // what it returns is a symbol: it has one edge, 0
  bool is_unsettled = false;  // it was about to be performed only: its expressions are not known
  ThreadId thread = 0;
  Op op = Op::None;
  u8 size = 0;
  u8 detail = 0;
  Order order = Order::Plain;
  State state = State::Unknown;
};

struct Edge {
  u64 result;
  NodeId from, to;  // `to` may have become one with another node: see Behaviour::target
  u32 steps;        // how much further in the thread's positions the next operation is
  u32 next;         // of the same node; 0: none
};

/// Bytes that some operation touches.
struct ByteRange {
  u64 begin;
  u64 size;
  bool block;  // of Alloc or Free: may be long, and is no access
  bool operator==(const ByteRange&) const = default;
};

class Behaviour {
 public:
  explicit Behaviour(const machine::MemoryRules& memory = {});
  const machine::MemoryRules& memory() const { return memory_; }
  /// Does the node's operation put a store into the thread's buffer; must it find that buffer empty?
  bool is_buffered(const Node& node) const { return memory_.is_buffered(node.op, node.order); }
  bool drains(const Node& node) const { return memory_.drains(node.op, node.order); }

  /// Adds a whole trace. `shared` tells whether bytes at an address count (events on others are left out). `states`:
  /// the events carry fingerprints. `failures`: how its threads failed. Returns a message if the trace contradicts what
  /// is known: the program is not deterministic, or something that the traces do not show changed its memory.
  /// `labels`: where the events' labels are explained.
  template <class IsShared>
  std::string learn(std::span<const Event> events, std::string_view output, std::span<const Failure> failures,
                    bool states, IsShared&& shared, const LabelTables* labels = nullptr) {
    filter_trace(events, memory_, Flushes::Drop, shared, filtered_);
    if (labels) {
      LabelReader reader(*labels, expressions_);
      return learn_filtered(output, failures, states, &reader);
    }
    return learn_filtered(output, failures, states, nullptr);
  }

  /// Reads are symbols: traces have labels, and nothing is merged.
  void follow_reads() { is_symbolic_ = true; }
  bool is_symbolic() const { return is_symbolic_; }
  const Expressions& expressions() const { return expressions_; }
  /// The edge that a node's operation takes with this result.
  static u64 edge_of(const Node& node, u64 result) { return node.is_symbol ? 0 : result; }

  /// What a trace was the first to show.
  struct News {
    enum class Kind : u8 { Operation, Result, Failure };
    Kind kind;
    NodeId node;  // where the thread stood
    u64 result;   // of that node's operation
    Event event;
  };
  /// The trace that contradicts frees a block that had another size before.
  std::optional<u64> resized_block() const { return resized_block_; }

  /// The first news of the trace that was learned last.
  const std::optional<News>& news() const { return news_; }

  /// Where the thread stood when the trace that was learned last ended; kNoNode: it did not begin.
  NodeId stood_at(ThreadId thread) const { return stood_at_[thread]; }

  const Node& node(NodeId id) const { return nodes_[id]; }
  NodeId size() const { return static_cast<NodeId>(nodes_.size()); }
  NodeId main_root() const { return main_root_; }
  /// Nodes that became one have one canonical number, the smallest. The others are dead.
  NodeId canonical(NodeId id) const {
    while (same_as_[id] != id) id = same_as_[id];
    return id;
  }
  /// Shortens the way to canonical nodes. To be called when much has been learned.
  void settle() {
    for (NodeId id = 1; id < size(); ++id)
      same_as_[id] = same_as_[same_as_[id]];  // smaller numbers are settled already
  }
  bool is_dead(NodeId id) const { return same_as_[id] != id; }
  /// The edges of a (canonical) node: for (u32 at = node.first_edge; at; at = edge(at).next)
  const Edge& edge(u32 number) const { return edges_[number]; }
  NodeId target(const Edge& edge) const { return canonical(edge.to); }
  /// The number of an edge of a canonical node, or 0.
  u32 find_edge(NodeId id, u64 result) const;
  /// The node behind an edge, or kNoNode.
  NodeId child(NodeId id, u64 result) const {
    const u32 found = find_edge(canonical(id), result);
    return found ? target(edges_[found]) : kNoNode;
  }
  /// The same, if what the thread does there is known.
  NodeId known_child(NodeId id, u64 result) const {
    NodeId found = child(id, result);
    return found != kNoNode && nodes_[found].state == Node::State::Unknown ? kNoNode : found;
  }
  /// Has every run that came here ended before it showed how the thread goes on? Then it may do anything.
  bool is_open(NodeId id) const {
    const Node& node = nodes_[id];
    if (node.state != Node::State::Known) return node.state == Node::State::Unknown;
    return node.first_edge == 0 && node.op != Op::End && node.op != Op::Exit && node.op != Op::Assume;
  }
  /// Known (thread, non-empty local history) pairs: edges of operations whose result depends on the schedule.
  u64 histories() const;
  /// Nodes that turned out to be the same as another.
  u64 merged() const { return merged_; }
  u64 version() const { return version_; }  // grows with everything learned
  unsigned threads() const { return threads_; }

  const std::vector<ByteRange>& ranges() const { return ranges_; }
  u8 initial_byte(u64 address) const;
  /// Grows when a byte that was taken for zero, because no run had touched it, turns out to begin with something else.
  u64 initial_version() const { return initial_version_; }
  const std::map<u64, machine::Object>& initial_objects() const { return initial_objects_; }

  /// Texts that Output operations write; number 0 is what main writes before its first fork.
  const std::string& text(u32 number) const { return texts_[number]; }

  /// Values of 16 bytes have numbers, those that runs have shown and those that were asked for.
  u64 intern_wide(u128 value);
  u64 find_wide(u128 value) const;  // or kNoWide
  u128 wide(u64 number) const { return wide_[number]; }

 private:
  struct RootKey {
    ThreadId thread;
    u64 routine, argument, clock;
    auto operator<=>(const RootKey&) const = default;
  };
  std::string learn_filtered(std::string_view output, std::span<const Failure> failures, bool states,
                             LabelReader* labels);
  /// What the notes behind an operation say of its values.
  struct Terms {
    u32 operand = 0, extra = 0;
    bool is_symbol = false;
    bool is_unsettled = false;
    bool is_foreign = false;    // about what the thread has not read itself
    bool is_unbounded = false;  // a store that depends on inputs waits in a buffer
  };
  Terms terms_behind(size_t index, LabelReader& labels) const;
  /// Steps of the thread's own: what it goes on by. False: not its own business.
  bool read_decision(Event& event, Terms& terms, LabelReader& labels) const;
  /// The expression of a label; 0, and is_foreign, if it is not the thread's.
  u32 own_term(const Event& note, Terms& terms, LabelReader& labels) const;
  /// Stores that wait in a buffer have values: their expressions are decided before.
  void decide_what_waits();
  void note_news(News::Kind kind, NodeId node, u64 result, const Event& event) {
    if (!news_) news_ = News{kind, node, result, event};
  }
  /// Threads that failed stood there.
  void note_failures(std::span<const Failure> failures, const NodeId* at);
  u32 intern_text(std::string_view text);
  std::string describe(NodeId id, const Event& event);
  bool add_operation(NodeId id, const Event& event, const Terms& terms);
  bool is_same_operation(Node& node, const Event& event, const Terms& terms);
  u32 add_edge(NodeId id, u64 result);
  NodeId new_node(ThreadId thread);
  size_t edge_slot(NodeId from, u64 result) const;
  void place_edge(u32 number);
  u32 intern_range(ByteRange range);
  void note_initial(const Event& event);
  /// The canonical node at `id`, which has this fingerprint.
  NodeId at_state(NodeId id, const Event& event);
  void unify(NodeId a, NodeId b);
  void unify_edges(NodeId into, NodeId from);

  machine::MemoryRules memory_;
  bool is_symbolic_ = false;
  Expressions expressions_;
  std::vector<Node> nodes_;
  std::vector<NodeId> same_as_;
  std::vector<Edge> edges_ = std::vector<Edge>(1);
  std::vector<u32> edge_table_ = std::vector<u32>(64, 0);  // hash table of edges by (from, result)
  struct HashState {
    size_t operator()(const std::pair<u64, u64>& state) const { return state.first ^ state.second; }
  };
  std::unordered_map<std::pair<u64, u64>, NodeId, HashState> states_;
  std::vector<std::pair<NodeId, NodeId>> to_unify_;
  std::string clash_;  // two nodes that must be one are not alike
  std::optional<u64> resized_block_;
  NodeId main_root_;
  std::map<RootKey, NodeId> roots_;
  std::vector<ByteRange> ranges_;
  std::map<std::tuple<u64, u64, bool>, u32> range_numbers_;
  struct InitialWord {
    u64 bytes = 0;
    u8 known = 0;
  };
  std::unordered_map<u64, InitialWord> initial_words_;
  std::map<u64, machine::Object> initial_objects_;
  std::vector<std::string> texts_{std::string()};
  std::unordered_map<std::string, u32> text_numbers_;
  std::vector<u128> wide_;
  std::map<std::pair<u64, u64>, u64> wide_numbers_;
  std::vector<Event> filtered_;
  std::optional<News> news_;
  NodeId stood_at_[kMaxThreads] = {};
  u64 merged_ = 0;
  u64 version_ = 0;
  u64 initial_version_ = 0;
  unsigned threads_ = 1;
};

}  // namespace plait

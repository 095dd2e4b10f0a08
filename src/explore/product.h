// The product of all behaviour graphs on the machine: states of the whole program, as far as is known, and their steps.
// The native run of a path does exactly what the product says, or the knowledge was wrong.
#pragma once
#include <cstring>

#include "knowledge/futures.h"
#include "machine/memory_step.h"
#include "solve/path_conditions.h"

namespace plait {

/// What happened when a thread tried to step.
enum class StepKind : u8 {
  Moved,
  Unknown,     // the operation's result, or what the thread does after it, has not been seen
  Lifetime,    // touches freed memory
  Misuse,      // of a lock
  ProgramEnd,  // exit
  Race,        // no step: two threads are about to perform conflicting accesses
  Endless,     // no step: the program cannot end any more
};

struct StepResult {
  StepKind kind = StepKind::Moved;
  u64 value = 0;          // result of the operation
  NodeId node = kNoNode;  // where the thread stood
  // Unknown: the edge (missing, missing_value), or what the thread does at its end. It may belong to another thread
  // that this step lets go on (a child that begins, a join that becomes possible).
  NodeId missing = kNoNode;
  u64 missing_value = 0;
  u128 wide = 0;     // a result that has no number: `value` is kNoWide
  u64 expected = 0;  // of a compare-and-swap
  // Where reads are symbols: the last decision on the way, and its side.
  NodeId decision = kNoNode;
  u64 side = 0;
  u32 term = 0;  // where inputs are symbols: the result, if it is an expression over them
};

/// Texts that can have been written so far, as numbers: (what was written before, what is added) -> number.
class Outputs {
 public:
  u32 after(u32 before, u32 text) {
    auto [at, fresh] = numbers_.try_emplace({before, text}, static_cast<u32>(parts_.size()));
    if (fresh) parts_.push_back({before, text});
    return at->second;
  }
  std::string whole(u32 number, const Behaviour& knowledge) const {
    if (number == 0) return knowledge.text(0);
    return whole(parts_[number].first, knowledge) + knowledge.text(parts_[number].second);
  }

 private:
  std::map<std::pair<u32, u32>, u32> numbers_;
  std::vector<std::pair<u32, u32>> parts_{{0, 0}};
};

/// A cursor or an entry of a buffer, as a state has it.
inline u32 read_u32(const u8* at) {
  u32 value;
  std::memcpy(&value, at, 4);
  return value;
}

class Product {
 public:
  /// `futures` null: cursors stay as they are; else they are replaced by their representatives.
  /// `outputs` null: what is written does not matter. `conditions`: needed where inputs are symbols.
  Product(const Behaviour& knowledge, const Layout& layout, const Futures* futures, Outputs* outputs,
          solve::PathConditions* conditions = nullptr)
      : knowledge_(knowledge),
        layout_(layout),
        futures_(futures),
        outputs_(outputs),
        evaluator_(knowledge.expressions()),
        conditions_(layout.has_inputs() ? conditions : nullptr) {}

  const Layout& layout() const { return layout_; }

  /// From now on, keeps track of the threads' positions here (one each); null: no more.
  void track(u32* positions) {
    positions_ = positions;
    waiting_.assign(layout_.threads(), {});
  }
  /// An operation that was performed, with its result.
  struct Move {
    ThreadId thread;
    NodeId node;
    u64 value;
    u64 expected = 0;  // of a compare-and-swap
  };
  /// From now on, adds all that steps perform to `moves`; null: no more. (Not what is flushed: see StepResult::node.)
  void record(std::vector<Move>* moves) { moves_ = moves; }
  /// The position of a store in a thread's buffer; only when they are tracked.
  u32 position_of_store(ThreadId thread, u32 place) const { return waiting_[thread][place]; }

  // Where inputs are symbols, a step can go several ways, as what they are lets it: its *sides*, one value for each
  // expression that the step decides by.
  //
  //   product.begin_sides();
  //   do { ... product.step(...) from the same state ...; product.sides() ... } while (product.next_sides());
  using Sides = std::vector<u64>;
  void begin_sides() { take_sides({}); }
  /// Those of the step that comes next.
  void take_sides(const Sides& sides) {
    sides_ = sides;
    next_side_ = 0;
    other_sides_.clear();
  }
  bool next_sides() {
    if (other_sides_.empty()) return false;
    sides_ = std::move(other_sides_.back());
    other_sides_.pop_back();
    next_side_ = 0;
    return true;
  }
  const Sides& sides() const { return sides_; }
  /// From now on, adds all that steps demand of the inputs to `all`; null: no more.
  void collect_conditions(std::vector<u32>* all) { all_conditions_ = all; }
  /// Not empty: something depends on inputs that cannot be followed, or the solver has given up.
  const std::string& obstacle() const { return obstacle_; }

  /// Initial state, after all free steps. False if even that is not known: `result` says what is missing.
  bool initial(std::vector<u8>& state, StepResult& result);

  NodeId cursor(const u8* state, u32 thread) const;
  bool has_ended(const u8* state, u32 thread) const {
    const u32 at = cursor(state, thread);
    return at == kEnded || (knowledge_.node(at).op == Op::End && !buffered(state, thread, 0));
  }
  /// Threads and buffers that could step.
  ThreadSet enabled(const u8* state) const;
  /// Threads whose buffers hold stores.
  ThreadSet buffering(const u8* state) const;
  /// The stores in a thread's buffer, as nodes.
  u32 stores(const u8* state, ThreadId thread, NodeId* to) const;
  /// The places of those that could leave it now.
  u64 flushable(const u8* state, ThreadId thread) const;
  /// The thread cannot step before its buffer has changed.
  bool waits_for_buffer(const u8* state, ThreadId thread) const;
  bool waits_for_room(const u8* state, const Node& node) const;
  /// Threads that exist and have not ended.
  ThreadSet live(const u8* state) const;
  /// Those of them that go no further: at a false assumption, or in front of a failure that nothing can prevent.
  ThreadSet stopped(const u8* state) const;
  /// Those that are about to end the program.
  ThreadSet exiting(const u8* state) const;
  /// Some threads that wait for each other; none: 0.
  ThreadSet cycle(const u8* state) const;
  /// Whom a blocked thread waits for; kNoThread: nobody in particular.
  ThreadId awaited(const u8* state, ThreadId thread) const;
  const machine::Object& object(const u8* state, u32 number) const {
    return *reinterpret_cast<const machine::Object*>(state + layout_.object_offset(number));
  }
  /// Args that the pending operation of `thread` can take; 0: no choice. Of a buffer: places of stores.
  ThreadSet choices(const u8* state, ThreadId thread) const;

  /// Lets `thread` step: changes `state`.
  StepResult step(u8* state, ThreadId thread, u16 arg);

 private:
  class Buffer;
  /// The entry at a place of a thread's buffer; 0: none.
  u32 buffered(const u8* state, u32 thread, u32 place) const;
  void set_buffered(u8* state, u32 thread, u32 place, u32 entry) const;
  u32 buffer_length(const u8* state, u32 thread) const;
  const Node& store_of(u32 entry) const { return knowledge_.node(knowledge_.canonical(entry & ~kBarrier)); }
  machine::Waiting waiting(u32 entry) const;
  /// Executes a buffered store, or a barrier. False if there is no room.
  bool push(u8* state, ThreadId thread, NodeId id);
  void put_barrier(u8* state, ThreadId thread) const;
  StepResult flush(u8* state, ThreadId thread, u32 place);
  ThreadSet ended(const u8* state) const;
  machine::Operation operation_of(const Node& node) const;
  machine::Object& object(u8* state, u32 number) const;
  bool perform(u8* state, const Node& node, u16 arg, StepResult& result);
  bool perform_memory(u8* state, const Node& node, StepResult& result);
  /// Moves a thread over its edge and on through free steps; false: `result` says what is missing.
  bool advance(u8* state, ThreadId thread, NodeId from, solve::InputValue value, StepResult& result);
  bool run_free_steps(u8* state, ThreadId thread, StepResult& result);
  /// Who waits for this thread to end.
  bool let_joiners_go_on(u8* state, ThreadId thread, const Node& end, StepResult& result);
  bool end_program(u8* state, StepResult& result) const;
  bool touches_freed(const u8* state, u32 range) const;
  void begin_block(u8* state, const Node& node) const;
  /// The node behind a known edge; else kNoNode, and `result` says what is missing.
  NodeId next_node(NodeId from, u64 value, StepResult& result) const;
  void set_cursor(u8* state, ThreadId thread, u32 node) const;
  void start_at(u8* state, ThreadId thread, NodeId root) const;
  void note_steps(ThreadId thread, NodeId from, u64 value, u64 expected) const;
  /// From the node to the one behind its edge, with the values of the expressions that are alive there.
  void move(u8* state, ThreadId thread, NodeId from, solve::InputValue value, NodeId to);
  /// Of an expression that is alive at the node where its thread stands.
  solve::InputValue value_at(const u8* state, NodeId at, u32 term);
  // product_inputs.cc: where inputs are symbols.
  void move_values(u8* state, ThreadId thread, NodeId from, solve::InputValue value, NodeId to);
  template <class Known>
  solve::InputValue evaluate(u32 number, solve::InputValue read, Known&& known);
  solve::InputValue of_inputs(u32 number);
  /// The node goes on by this value, which becomes one of those that it can be.
  u64 decide(u8* state, NodeId at, solve::InputValue value, unsigned width);
  u64 decide_bit(u8* state, solve::InputValue bit);
  u64 take_side(u8* state, solve::InputValue value, unsigned width, const Sides& possible);
  Sides sides_of(u32 condition, NodeId at, solve::InputValue value, unsigned width);
  bool is_possible(u32 condition, solve::InputValue bit);
  void demand(u8* state, solve::InputValue bit);
  void give_up(const char* why) {
    if (obstacle_.empty()) obstacle_ = why;
  }
  /// Of bytes at this place in the state.
  solve::InputValue bytes_at(const u8* state, u32 offset, u32 size);
  void set_bytes(u8* state, u32 offset, u32 size, solve::InputValue value) const;
  void set_constant(u8* state, u32 offset, u32 size) const;
  bool has_terms(const u8* state, u32 offset, u32 size) const;
  solve::InputValue updated(const Node& node, solve::InputValue old, solve::InputValue operand);
  bool perform_on_inputs(u8* state, const Node& node, StepResult& result);
  /// Forgets conditions that nothing has to do with any more.
  void settle_conditions(u8* state);
  u64 inputs_ahead(const u8* state);
  u64 inputs_behind(NodeId at);
  solve::InputValue input_symbol(u64 id);
  solve::InputValue load_past_buffer(const u8* state, const Node& node);
  /// What the thread's buffer has for that byte.
  std::optional<u8> own_byte(const u8* state, u32 thread, u64 address) const;
  u128 load(const u8* state, const Node& node) const;
  void store(u8* state, const Node& node, u128 value) const;
  /// A value as the node's operation has it: nodes have numbers of wide ones.
  u128 value_of(const Node& node, u64 number) const;

  const Behaviour& knowledge_;
  const Layout& layout_;
  const Futures* futures_;
  Outputs* outputs_;
  Evaluator evaluator_;
  std::vector<u64> kept_;  // by move()
  solve::PathConditions* conditions_;
  std::vector<solve::InputValue> kept_values_;
  std::unordered_map<NodeId, u64> inputs_behind_;
  std::unordered_map<u32, u32> input_terms_;  // expressions over inputs only, by their number in the knowledge
  Sides sides_;
  size_t next_side_ = 0;
  std::vector<Sides> other_sides_;
  std::vector<u32>* all_conditions_ = nullptr;
  std::string obstacle_;
  u32* positions_ = nullptr;
  std::vector<Move>* moves_ = nullptr;
  std::vector<std::vector<u32>> waiting_;  // positions of the stores in the buffers
};

}  // namespace plait

// How a state of the whole program is laid out: one flat block of bytes, so that copying, comparing and hashing are
// cheap.
//
// - cursor[threads], u32: node of each thread; 0: not forked; a thread that has ended stays at its End; kEnded: the
//   program is over
// - output, u32: number of the text written so far (0 unless outcomes are searched)
// - atomic owner, u32: thread + 1 inside an atomic section, else 0
// - objects: 16 bytes each
// - cells: bytes of shared memory, clusters of overlapping accesses
// - freed: one byte per cell that some Free covers, or one per byte of the cell
// - buffers: TSO, PSO: for each thread the stores that wait in its buffer, as their nodes; kBarrier: all before must go
//   first; 0: none
//
// - values: where reads are symbols, for each thread those of the expressions that are alive, in the order of their
//   numbers
// - where inputs are symbols, too: the condition that the path has put on them, u32; and for each value that is alive,
//   and for each byte of a cell, the expression over inputs that it is, u32 (0: the value stands in its own place)
//
// Built anew when knowledge has grown.
#pragma once
#include <algorithm>

#include "knowledge/behaviour.h"

namespace plait {

inline constexpr u32 kEnded = 0xffffffff;
inline constexpr u32 kBarrier = 0x80000000;  // alone: before the next store

struct Cell {
  u64 begin, end;               // addresses
  u32 offset;                   // in the state
  u32 freed_offset;             // 0: nobody frees it
  bool freed_in_parts = false;  // then each byte has a flag: locals of different frames overlap
};

class Layout {
 public:
  explicit Layout(const Behaviour& knowledge);

  u32 threads() const { return threads_; }
  bool covers(const Node& node) const {
    return node.range < range_cells_.size() && node.thread < threads_ &&
           (node.op != Op::Fork || node.location < threads_);
  }
  /// Is all that has been learned since in terms of the same cells, objects and threads?
  bool still_fits() const;
  u32 bytes() const { return bytes_; }  // a multiple of 8
  u32 output_offset() const { return threads_ * 4; }
  u32 atomic_offset() const { return threads_ * 4 + 4; }

  const std::vector<Cell>& cells() const { return cells_; }
  /// Cells of a range of the knowledge: [first, last).
  std::pair<u32, u32> cells_of(u32 range) const { return range_cells_[range]; }
  /// Where the bytes of a (non-block) range lie in the state.
  u32 offset_of(u32 range) const { return range_offset_[range]; }

  /// Calls f(flag's place in the state) for all that tell whether bytes of the range are freed.
  template <class F>
  void for_each_flag(u32 range, F f) const {
    const ByteRange& bytes = knowledge_.ranges()[range];
    for (u32 i = range_cells_[range].first; i < range_cells_[range].second; ++i) {
      const Cell& cell = cells_[i];
      if (!cell.freed_offset) continue;
      if (!cell.freed_in_parts) {
        f(cell.freed_offset);
        continue;
      }
      for (u64 a = std::max(cell.begin, bytes.begin); a < std::min(cell.end, bytes.begin + bytes.size); ++a)
        f(cell.freed_offset + static_cast<u32>(a - cell.begin));
    }
  }

  /// Where a thread's buffer lies, and how many entries it can have.
  u32 buffer_offset(u32 thread) const { return buffers_[thread].offset; }
  u32 buffer_size(u32 thread) const { return buffers_.empty() ? 0 : buffers_[thread].size; }

  /// The expressions over what has been read so far that the node, or something behind it, is known to use; in order.
  const std::vector<u32>& alive(NodeId id) const { return alive_.empty() ? none_ : alive_[id]; }
  u32 values_offset(u32 thread) const { return values_offset_[thread]; }
  bool has_values() const { return !alive_.empty(); }
  /// Are there expressions over inputs in the state?
  bool has_inputs() const { return condition_offset_ != 0; }
  u32 condition_offset() const { return condition_offset_; }
  u32 value_terms_offset(u32 thread) const { return value_terms_offset_[thread]; }
  /// Of the byte of a cell that lies at this place in the state.
  u32 byte_term_offset(u32 byte) const { return byte_terms_begin_ + 4 * (byte - cells_begin_); }
  u32 cells_begin() const { return cells_begin_; }
  u32 cells_end() const { return cells_end_; }
  /// Inputs that are used at the node, or behind it, whatever is alive and in memory (InputVariable::id, in order).
  const std::vector<u64>& inputs_ahead(NodeId id) const { return inputs_ahead_[id]; }
  /// Was it known what the node does, and which expressions are alive there?
  bool has_node(NodeId id) const { return alive_.empty() || (id < was_known_.size() && was_known_[id]); }

  /// Number of an object, by its key (address, part): see object_keys().
  u32 object_number(u64 key) const;
  u32 object_offset(u32 number) const { return objects_begin_ + 16 * number; }
  /// Objects whose life an operation on this range can begin or end: those in a block; and those that are destroyed at
  /// times, in any range (a store to them is a new beginning).
  const std::vector<u32>& objects_in(u32 range) const { return range_objects_[range]; }
  u32 objects() const { return static_cast<u32>(object_numbers_.size()); }

  /// Resources for conflict tests: cells, then objects, then the output.
  u32 resources() const { return static_cast<u32>(cells_.size()) + objects() + 1; }
  u32 object_resource(u32 number) const { return static_cast<u32>(cells_.size()) + number; }
  u32 output_resource() const { return resources() - 1; }

  /// Everybody at the beginning.
  std::vector<u8> initial() const;

 private:
  struct Buffer {
    u32 offset = 0, size = 0;
  };
  /// How many entries each thread's buffer can have, by what is known.
  std::vector<Buffer> buffers() const;

  const Behaviour& knowledge_;
  u32 threads_;
  std::vector<Buffer> buffers_;
  u32 bytes_ = 0;
  u32 objects_begin_ = 0;
  std::vector<Cell> cells_;
  std::vector<std::pair<u32, u32>> range_cells_;
  std::vector<u32> range_offset_;
  std::map<u64, u32> object_numbers_;
  std::vector<std::vector<u32>> range_objects_;
  std::vector<bool> is_destroyed_;       // by object
  std::vector<std::vector<u32>> alive_;  // by node
  std::vector<u32> values_offset_;       // by thread
  std::vector<bool> was_known_;
  u32 cells_begin_ = 0, cells_end_ = 0;
  u32 condition_offset_ = 0, byte_terms_begin_ = 0;
  std::vector<u32> value_terms_offset_;         // by thread
  std::vector<std::vector<u64>> inputs_ahead_;  // by node
  const std::vector<u32> none_;
  u64 version_;  // of the knowledge
  /// Returns where the state ends.
  u32 place_values(u32 offset);
  u32 place_inputs(u32 offset, const std::vector<u32>& values);
  void find_inputs_ahead();
  void find_cells();
  void find_objects();
};

/// Keys of the objects that a node's operation uses; 0: none. As the runtime numbers them (scheduler.cc, object_at).
machine::ObjectKeys object_keys(const Node& node);

}  // namespace plait

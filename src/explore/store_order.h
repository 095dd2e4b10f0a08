// Under TSO and PSO: which events of a trace have to wait for which, because of store buffers (docs/memory-models.md).
// A flush waits for its store and for the stores that must leave the buffer before it; a draining operation waits for
// all stores of its thread; a store waits for room in the buffer.
#pragma once
#include <span>
#include <vector>

#include "machine/memory_model.h"

namespace plait {

class StoreOrder {
 public:
  explicit StoreOrder(const machine::MemoryRules& memory) : memory_(memory) {}

  /// Notes the next event of the trace, which has this number there; returns the earlier ones that it had to wait for.
  std::vector<size_t> next(const Event& event, size_t number);

  /// A store that could be flushed now.
  struct Flushable {
    size_t store;               // its event
    std::vector<size_t> after;  // what the flush had to wait for
  };
  std::vector<Flushable> flushable() const;

  bool holds_stores(ThreadId thread) const { return memory_.buffers && buffers_[thread].waiting != 0; }

  /// Where stores overtake each other, any flush makes room in a full buffer: which one did is not kept.
  bool was_full() const { return was_full_; }

 private:
  static constexpr size_t kNowhere = ~size_t{0};
  struct Stored {
    size_t store, flush;
    u32 position;
    u64 begin, end;
    u32 barriers;  // of its thread before it
  };
  struct Buffer {
    std::vector<Stored> stores;  // since the last draining operation
    u32 barriers = 0;
    u32 waiting = 0;  // stores without a flush
  };

  /// Must `early`, which is older, leave the buffer first?
  bool leaves_first(const Stored& early, const Stored& late) const;
  std::vector<size_t> before_flush(const Buffer& buffer, const Stored& stored) const;
  void store(Buffer& buffer, const Event& event, size_t number, std::vector<size_t>& before);

  machine::MemoryRules memory_;
  Buffer buffers_[kFirstBuffer];
  bool was_full_ = false;
};

}  // namespace plait

// Store buffers of scripts: the memory step of src/machine with plain vectors.
#pragma once
#include <span>
#include <vector>

#include "machine/dependence.h"
#include "machine/memory_step.h"

namespace plait {

class ScriptedBuffers {
 public:
  struct Store {
    machine::Operation flush;  // as the buffer performs it
    u32 position = 0;
    bool behind_barrier = false, asleep = false;
  };
  struct Buffer {
    std::vector<Store> stores;
    bool barrier = false;  // before the next one
    machine::PendingStores pending;
    u32 size() const { return static_cast<u32>(stores.size()); }
    machine::Waiting operator[](u32 i) const {
      const Store& store = stores[i];
      return {store.flush.location, store.flush.operand, store.flush.size, store.behind_barrier};
    }
  };

  ScriptedBuffers(const machine::MemoryRules& rules, size_t threads) : rules(rules), buffers_(threads) {}
  const machine::MemoryRules rules;

  Buffer& operator[](ThreadId thread) { return buffers_[thread]; }
  const Buffer& operator[](ThreadId thread) const { return buffers_[thread]; }
  bool is_buffer(ThreadId actor) const { return rules.is_buffer(actor) && rules.owner(actor) < buffers_.size(); }

  /// Those that hold stores, as actors.
  ThreadSet flushing() const {
    ThreadSet set = 0;
    for (ThreadId t = 0; t < buffers_.size(); ++t)
      if (buffers_[t].size()) set |= bit(buffer_of(t));
    return set;
  }
  u64 flushable(ThreadId actor) const { return machine::flushable(rules, buffers_[rules.owner(actor)]); }
  u64 awake(ThreadId actor) const {
    u64 set = flushable(actor);
    for (u64 left = set; left; left &= left - 1)
      if (const auto i = static_cast<u32>(__builtin_ctzll(left)); buffers_[rules.owner(actor)].stores[i].asleep)
        set &= ~(u64{1} << i);
    return set;
  }
  /// Where the store of this operation waits; size(): nowhere.
  u32 place(ThreadId actor, u32 position) const {
    const Buffer& buffer = buffers_[rules.owner(actor)];
    u32 at = 0;
    while (at < buffer.size() && buffer.stores[at].position != position) ++at;
    return at;
  }
  bool waits(ThreadId thread, const machine::Operation& operation) const {
    const u32 count = buffers_[thread].size();
    return rules.is_buffered(operation.op, operation.order) ? count == rules.room
                                                            : count && rules.drains(operation.op, operation.order);
  }
  void push(ThreadId thread, const machine::Operation& store, u32 position) {
    Buffer& buffer = buffers_[thread];
    const bool barrier = buffer.size() && (buffer.barrier || rules.is_barrier(store.op, store.order));
    buffer.stores.push_back({store, position, barrier});
    buffer.stores.back().flush.op = Op::Flush;
    buffer.barrier = false;
    buffer.pending.store();
  }
  Store take(ThreadId actor, u32 place) {
    Buffer& buffer = buffers_[rules.owner(actor)];
    const Store store = buffer.stores[place];
    buffer.stores.erase(buffer.stores.begin() + place);
    if (buffer.size()) buffer.stores[0].behind_barrier = false;
    return store;
  }
  void wake_dependent(ThreadId who, const machine::Operation& performed) {
    for (ThreadId t = 0; t < buffers_.size(); ++t)
      for (Store& store : buffers_[t].stores)
        if (machine::dependent(who, performed, buffer_of(t), store.flush)) store.asleep = false;
  }

 private:
  std::vector<Buffer> buffers_;
};

}  // namespace plait

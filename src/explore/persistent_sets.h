// Persistent sets (Godefroid 1996): which threads have to be interleaved in a state. Whatever those outside of the set
// do, as long as nobody inside steps, is independent of what those inside do next. So the others can wait.
//
// A set is closed from one thread: with a member that can step come all who can do something that conflicts with it
// before a member has stepped; with one that is blocked comes somebody without whom it stays blocked. Members that
// stand still keep their locks and do not end (knowledge/blockers.h), so what others do behind that does not count.
#pragma once
#include "explore/product.h"
#include "knowledge/blockers.h"

namespace plait {

class PersistentSets {
 public:
  /// `blockers` null: everything in somebody's future counts.
  PersistentSets(const Behaviour& knowledge, const Layout& layout, const Futures& futures, const Blockers* blockers,
                 const Product& product)
      : knowledge_(knowledge), layout_(layout), futures_(futures), blockers_(blockers), product_(product) {}

  /// A small set of those that are enabled, not empty. `actors`: all threads and buffers that can ever step; `first`:
  /// who is likely to be one alone.
  ThreadSet find(const u8* state, ThreadSet enabled, ThreadSet actors, ThreadId first = kNoThread);
  /// A step of a buffer that nobody else can notice, with its place in the buffer. False: there is none.
  bool find_unseen_flush(const u8* state, ThreadSet actors, ThreadId& buffer, u32& place);
  /// What an actor could do next, as nodes: a thread's operation, or the stores that could leave a buffer.
  u32 next_of(const u8* state, ThreadId actor, NodeId* to) const;

 private:
  ThreadId owner(ThreadId actor) const { return actor < layout_.threads() ? actor : owner_of(actor); }
  void look_at(const u8* state, ThreadSet actors);
  /// What the members block while they stand still.
  void find_standing(const u8* state, ThreadSet members);
  bool is_reset(u32 lock, ThreadSet members);
  /// The future of a thread while they do: a row of Blockers, or of Futures.
  const u64* future(ThreadId thread);
  bool conflicts(NodeId own, ThreadId other);
  bool flush_conflicts(NodeId store, ThreadId other);
  /// Somebody without whom the blocked member stays blocked; kNoThread: anybody could help.
  ThreadId helper(const u8* state, ThreadId member) const;
  void add_conflicts(const u8* state, ThreadId member, ThreadSet& closed, ThreadSet& todo);
  bool has_conflict(const u8* state, ThreadId member, ThreadId other, const NodeId* mine, u32 count);

  const Behaviour& knowledge_;
  const Layout& layout_;
  const Futures& futures_;
  const Blockers* blockers_;
  const Product& product_;
  // Of the state that is looked at:
  ThreadSet actors_ = 0, enabled_ = 0;
  NodeId at_[kMaxThreads] = {};
  u64 held_[kMaxThreads] = {};  // locks, a bit each
  std::vector<u32> standing_;   // blockers
  std::vector<u64> row_;
};

}  // namespace plait

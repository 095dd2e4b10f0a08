#include "check/buffered_stores.h"

#include <array>
#include <map>

namespace plait {
namespace {

/// The last scheduling point of anybody but a given thread, for all threads at once.
class LastForeignPoint {
 public:
  void see(size_t event, ThreadId owner) {
    if (owner != last_owner_) before_ = last_, last_owner_ = owner;
    last_ = event + 1;
  }
  bool is_after(size_t event, ThreadId owner) const { return (owner == last_owner_ ? before_ : last_) > event + 1; }

 private:
  size_t last_ = 0, before_ = 0;  // indices + 1: of the last point, of the last one of another thread than that
  ThreadId last_owner_ = kNoThread;
};

/// Walks over a trace and keeps what is in the buffers.
class Walk {
 public:
  using Fate = BufferedStores::Fate;

  struct Waiting {
    size_t store;
    bool overtaken = false;  // a younger store of the thread has been flushed
  };

  explicit Walk(const machine::MemoryRules& memory) : memory_(memory) {}

  bool is_buffered(const Event& e) const {
    return memory_.is_buffered(e.op, e.order) && !(e.flags & event_flag::kPoint);
  }

  void see(size_t i, const Event& e) {
    const ThreadId owner = owner_of(e.thread);
    if (is_buffered(e)) waiting_[owner][e.position] = {i};
    const bool only_stores = is_buffered(e) || e.op == Op::Flush || e.op == Op::Fence || e.op == Op::Extension;
    if (!only_stores) last_own_[owner] = i + 1;
    if (e.flags & event_flag::kPoint) points_.see(i, owner);
  }

  /// The store that this flush takes out, kNone if it is not known; `fate` is its fate.
  size_t flushed(const Event& flush, Fate& fate) {
    std::map<u32, Waiting>& own = waiting_[owner_of(flush.thread)];
    auto found = own.find(flush.position);
    if (found == own.end()) return BufferedStores::kNone;
    const Waiting waiting = found->second;
    fate = fate_of(waiting, owner_of(flush.thread));
    for (auto older = own.begin(); older != found; ++older) older->second.overtaken = true;
    own.erase(found);
    return waiting.store;
  }

  template <class Use>
  void left_over(Use use) const {
    for (const auto& [owner, own] : waiting_)
      for (const auto& [position, waiting] : own) use(waiting.store, fate_of(waiting, owner));
  }

 private:
  Fate fate_of(const Waiting& waiting, ThreadId owner) const {
    if (!points_.is_after(waiting.store, owner)) return Fate::AtOnce;
    return waiting.overtaken || last_own_[owner] > waiting.store + 1 ? Fate::Delayed : Fate::Late;
  }

  const machine::MemoryRules& memory_;
  std::map<ThreadId, std::map<u32, Waiting>> waiting_;  // by position: a flush has the position of its store
  std::array<size_t, kMaxThreads> last_own_{};          // index + 1 of the thread's last event that is no store
  LastForeignPoint points_;
};

}  // namespace

BufferedStores::BufferedStores(std::span<const Event> events, const machine::MemoryRules& memory)
    : entries_(events.size()) {
  if (!memory.buffers) return;
  Walk walk(memory);
  for (size_t i = 0; i < events.size(); ++i) {
    if (events[i].flags & event_flag::kPending) continue;
    if (events[i].op == Op::Flush) {
      Fate fate = Fate::NotBuffered;
      if (const size_t store = walk.flushed(events[i], fate); store != kNone) {
        entries_[store].partner = i;
        entries_[i].partner = store;
        set(store, fate);
      }
    }
    walk.see(i, events[i]);
  }
  walk.left_over([&](size_t store, Fate fate) { set(store, fate); });
  keep_program_order(events);
  for (size_t i = 0; i < events.size(); ++i) delayed_ += events[i].op == Op::Store && entries_[i].fate == Fate::Delayed;
}

void BufferedStores::set(size_t store, Fate fate) {
  entries_[store].fate = fate;
  if (entries_[store].partner != kNone) entries_[entries_[store].partner].fate = fate;
}

/// A late store counts where it is flushed. If a younger store of its thread counts before that, both must count where
/// they are executed.
void BufferedStores::keep_program_order(std::span<const Event> events) {
  std::array<size_t, kMaxThreads> younger{};  // index + 1 of the thread's next store that counts where it is executed
  for (size_t i = events.size(); i-- > 0;) {
    const Fate fate = events[i].op == Op::Store ? entries_[i].fate : Fate::NotBuffered;
    if (fate == Fate::NotBuffered) continue;
    size_t& next = younger[owner_of(events[i].thread)];
    if (fate == Fate::Late && next && next - 1 < partner(i)) set(i, Fate::Delayed);
    if (entries_[i].fate != Fate::Late) next = i + 1;
  }
}

}  // namespace plait

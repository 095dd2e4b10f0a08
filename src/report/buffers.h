// Store buffers in a recorded run, for people (TSO, PSO): whose step an event is, what it did, and which stores a read
// was given by its own buffer. Under SC it says what the events say.
#pragma once
#include <map>

#include "check/buffered_stores.h"
#include "report/bug.h"

namespace plait {

/// The thread that an event belongs to: a flush is a step of its thread's buffer.
ThreadId thread_of(const Bug&, const Event&);
/// "T1", or "T1's buffer": who takes steps under this number.
std::string actor_name(const machine::MemoryRules&, ThreadId);

class Buffers {
 public:
  static constexpr size_t kNone = BufferedStores::kNone;

  explicit Buffers(const Bug&);

  bool is_flush(size_t event) const;
  bool is_buffered(size_t event) const { return !is_flush(event) && stores_.fate(event) != Fate::NotBuffered; }
  /// A store that is told together with its flush.
  bool waits(size_t event) const { return !is_flush(event) && stores_.fate(event) == Fate::Delayed; }
  /// Of other stores and flushes people see one only, as an ordinary write: the one that counts (see BufferedStores).
  bool is_left_out(size_t event) const { return stores_.fate(event) == (is_flush(event) ? Fate::AtOnce : Fate::Late); }
  bool told_as_write(size_t flush) const { return stores_.fate(flush) == Fate::Late; }
  /// The event that counts for when the store (or the store of the flush) reached memory.
  size_t when_written(size_t event) const;
  /// Of a store: its flush; of a flush: its store.
  size_t partner(size_t event) const { return stores_.partner(event); }
  /// How many stores wait.
  u32 delayed() const { return stores_.delayed(); }
  /// For each byte of a read: the store in the own buffer that it came from, or kNone. Empty: all from memory.
  const std::vector<size_t>& forwarded(size_t read) const;
  /// Does memory change in this event, as people see it?
  bool changes_memory(size_t event) const;

  /// What the event did, in words: event_text, and what buffers change about it.
  std::string text(size_t event) const;
  /// The same for those who see only what is not left out: stores and flushes that make no difference are writes.
  std::string told(size_t event) const;

 private:
  using Fate = BufferedStores::Fate;

  const Event& raw(size_t event) const { return bug_.events[event].raw; }
  void find_forwarded();
  bool is_refused(size_t event) const;
  std::string store_text(size_t event) const;
  std::string read_text(size_t event) const;

  const Bug& bug_;
  BufferedStores stores_;
  std::map<size_t, std::vector<size_t>> forwarded_;
  std::vector<std::string> wakes_;  // see sync_words.h
};

}  // namespace plait

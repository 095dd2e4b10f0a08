// Programs so small that everything they can do is enumerated by definition. Shares no code with the machine, the
// product or the solvers: those are compared with it.
//
//   TinyProgram program({"x=1 y", "y=1 x"}, MemoryModel::Tso);   // main forks one thread for each text, joins all
//
// Words: x=1 store, x load, x+=1 fetch-and-add, lock:M, unlock:M, skip_unless:1,2 (jumps over two words unless the
// thread received 1 last). Stores are relaxed, or plain with a trailing '!' on both stores and loads: "x=1!", "x!".
#pragma once
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "trace/event.h"

namespace plait {

struct TinyWord {
  enum Kind { Load, Store, Add, Lock, Unlock, SkipUnless } kind;
  char name = 0;
  u64 value = 0;
  u32 words = 0;
  bool is_plain = false;
};

/// A step of a thread, or a store that leaves its buffer.
struct TinyMove {
  u32 thread;
  bool is_flush = false;
  u32 place = 0;  // of the store, counted from the oldest
};

struct TinyState {
  std::vector<u32> next;                    // by thread: word
  std::vector<std::vector<u64>> histories;  // by thread: what it has received
  std::map<char, u64> memory;
  std::map<char, u32> owners;                              // of locks: thread + 1
  std::vector<std::vector<std::pair<char, u32>>> buffers;  // by thread: variable, word
  auto operator<=>(const TinyState&) const = default;
};

using TinyHistories = std::vector<std::vector<u64>>;

class TinyProgram {
 public:
  TinyProgram(const std::vector<std::string>& threads, MemoryModel model);

  u32 threads() const { return static_cast<u32>(words_.size()); }
  const TinyWord& word(u32 thread, u32 number) const { return words_[thread][number]; }
  MemoryModel model() const { return model_; }
  /// Stores that wait in a buffer are performed as soon as their thread gets there.
  TinyState initial() const;
  std::vector<TinyMove> moves(const TinyState& state) const;
  TinyState after(TinyState state, const TinyMove& move) const;
  bool is_over(const TinyState& state) const;

  /// Everything that is reachable: states, states where somebody waits for ever, what the threads of complete runs have
  /// received.
  struct Reached {
    std::set<TinyState> states, stuck;
    std::set<TinyHistories> outcomes;
  };
  Reached reach() const;
  /// All complete or stuck runs, as moves.
  std::vector<std::vector<TinyMove>> runs() const;
  std::vector<TinyMove> random_run(std::mt19937_64& random) const;

  /// The trace of a run, as the runtime would write it. The site of an event is 100 * thread + word.
  std::vector<Event> trace(const std::vector<TinyMove>& run) const;

  static u64 address(char name) { return 0x1000 + 8u * static_cast<u64>(name - 'A'); }

 private:
  void run_free(TinyState& state, u32 thread) const;
  u64 load(const TinyState& state, u32 thread, char name) const;

  std::vector<std::vector<TinyWord>> words_;
  MemoryModel model_;
};

/// Threads of `words` accesses each to x and y; values stored are distinct.
std::vector<std::string> random_texts(std::mt19937_64& random, u32 threads, u32 words, bool plain = false);

}  // namespace plait

// What the operations of a sweep program do: its state, when a thread can step, what a step changes. The rules stand in
// enumerator.h; this file knows nothing of interleavings.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "memory.h"
#include "program.h"

namespace sweep {

// Objects are numbered through: the bytes of variables, mutexes, conditions, semaphores, reader-writer locks, barriers,
// structs.
inline constexpr int kFirstMutex = kCells * kVariableBytes;
inline constexpr int kFirstCondition = kFirstMutex + kAllMutexes;
inline constexpr int kFirstSemaphore = kFirstCondition + kAllConditions;
inline constexpr int kFirstRwLock = kFirstSemaphore + kAllSemaphores;
inline constexpr int kFirstBarrier = kFirstRwLock + kRwLocks;
inline constexpr int kFirstStruct = kFirstBarrier + kBarriers;
inline constexpr int kObjects = kFirstStruct + kStructs;
inline constexpr int kNobody = -1;

struct ThreadState {
  bool started = false, ended = false, woken = false;
  int pc = 0;
  int phase = 0;  // how far it is in an add or a wait
  std::uint32_t temporary = 0;
  StoreBuffer buffer;
  int waiting_on = kNobody;  // condition
  int identity = 0;
  int history = 0;  // number of its local history: the enumerator's
  int forks = 0;
  int rounding = 0;  // mode
  int registers[kRegisters] = {};
  std::array<std::uint8_t, kMaxOperations> turns{};  // of the loops, by their places
  std::vector<int> children;                         // not joined yet, in the order of their forks
  std::uint64_t returned = 0;  // its registers and those of all that it has joined, as interp.c packs them
};

/// A static variable of a function.
struct Static {
  int builder = kNobody;  // the thread that runs its constructor
  bool built = false;
  int value = 0;
};

struct Struct {
  int first = 0, second = 0;
};

inline constexpr int kFirstDestructor = 10;  // among exit handlers

enum class End { None, Normal, Cut, Failure };

/// What of the process is neither memory nor a thread.
struct Process {
  int environment = kRegisterMask;  // not set
  int umask = 0;
  int directory = kRegisterMask;  // where it began
  unsigned descriptors = 0;       // mask
  std::vector<int> handlers;      // to be run at the end, the last one first
  std::string output;
  int exiting = kNobody;  // the thread that runs the handlers
  End end = End::None;
  std::string failure;  // kind@site
};

struct State {
  ThreadState threads[kThreads];
  Variables variables{};
  int owners[kAllMutexes];
  int semaphores[kAllSemaphores];
  int writers[kRwLocks];
  std::uint8_t readers[kRwLocks] = {};   // mask
  std::uint8_t arrived[kBarriers] = {};  // mask
  bool forked = false;
  int depth = 0;  // of the recursive mutex
  bool freed[kBlocks] = {};
  bool freed_alone[kBlocks] = {};  // before the first fork
  bool destroyed[kAllMutexes] = {};
  bool dead[kCells] = {};   // of cells of the heap and of local variables: they live no longer
  int pointers[kPointers];  // to cells
  Static statics[kStatics];
  Struct structs[kStructs];
  int atomic = kNobody;  // the thread in an atomic section
  Process process;
};

/// What a thread is about to do, as far as scheduling is concerned.
struct Pending {
  bool enabled = true;    // the buffer aside
  bool drains = false;    // waits until the thread's buffer is empty
  bool buffered = false;  // a store that goes to the buffer
  bool output = false;    // main prints the outcome: a scheduling point
  int object = kNobody;   // none: a step on the thread's own state
  unsigned bytes = 1;     // of a variable, whose first byte is `object`, or of a struct
  int object2 = kNobody;  // the mutex of a wait
  bool write = false;
  int awaits = kNobody;  // when not enabled: the thread that holds it up, if there is one
  char access = 0;       // of a variable: the operation's letter, '+' for the store of an add
  bool atomic = false;   // that access
};

/// What an exit handler, or the destructor of a static variable, prints.
std::string text_of_handler(int handler);

/// What happens to whoever performs that now, because of memory that lives no longer; empty: nothing.
std::string death_of(const State& state, int object);

/// What a buffered store writes to, and its way to memory.
inline int object_of(const BufferedStore& store) {
  return store.variable < kCells ? store.variable * kVariableBytes : kFirstStruct + store.variable - kCells;
}
void flush(State& state, int t, std::size_t place);

inline bool alive(const State& state, int t) { return state.threads[t].started && !state.threads[t].ended; }

class Semantics {
 public:
  /// `shared`: the bytes that several threads use. May change between executions, not during one.
  /// `ends`: how main ends is a matter of steps, too (print, handlers, end of the program).
  Semantics(const Program& program, MemoryModel model, const Bytes& shared, bool ends = false)
      : program_(program), model_(model), shared_(shared), ends_(ends) {}

  State start() const;

  Pending pending(const State& state, int t) const;

  /// The threads that a signal may wake, if t is about to signal; else, or if there are none, one choice: nobody.
  std::vector<int> choices(const State& state, int t) const;

  /// What the pending step will tell the thread, if that can differ from run to run.
  std::optional<std::uint64_t> result(const State& state, int t) const;

  /// Whether what is pending can be performed now.
  static bool can_step(const State& state, int t, const Pending& pending) {
    return pending.enabled && !(pending.drains && !state.threads[t].buffer.stores.empty());
  }

  /// Performs what is pending, which must be possible. False when it misuses a lock.
  bool step(State& state, int t, int choice);

 private:
  const Program& program_;
  const MemoryModel model_;
  const Bytes& shared_;
  const bool ends_;

  Operation operation_of(const State& state, int t) const;
  Pending pending_among_the_living(const State& state, int t) const;
  void store(State& state, int t, std::uint32_t value) const;
  int fork(State& state, int parent, int child);
  int variable_of(const State& state, int t, const Operation& operation) const;
  bool step_of_family(State& state, int t, const Operation& operation);
  bool step_of_memory(State& state, int t, const Operation& operation);

  std::map<std::pair<int, int>, int> identities_;  // (parent, fork index) -> identity
};

}  // namespace sweep

// A runtime of others as a Runner: if its hello says what its events do to shared memory ("operations"), then they are
// operations of the machine, and the explorers of src/explore, which predict values, work on it.
//
// Thread 0 is main: it forks the actors, joins them, and is the actor that the hello calls `main`, if there is one.
// Actor number n is thread n + 1, in order of appearance; the others' first event is at position 2, behind Begin.
#pragma once
#include <mutex>

#include "exogenous/runtime.h"
#include "run/runner.h"

namespace plait::exogenous {

/// What the hello declares: kinds of events as operations.
class Operations {
 public:
  /// Throws Error when the hello declares none, or something that is not understood.
  Operations(const Hello& hello, Catalogue& catalogue);
  struct Kind {
    Op op = Op::None;
    u8 detail = 0;
  };
  /// Of an event. Throws Error naming the event when its kind was not declared or an attribute is missing.
  Event event(const Description& description) const;
  u64 initial(u64 location) const;
  std::string object_name(u64 location) const;
  const std::string& main() const { return main_; }

 private:
  u64 value(const Description& description, Symbol name) const;

  Catalogue& catalogue_;
  std::map<std::string, Kind> kinds_;
  std::map<u64, u64> initial_;
  std::string main_;
  Symbol object_, value_, operand_, expected_, true_;
};

class MachineRunners : public Runners {
 public:
  MachineRunners(const RuntimeOptions& options, Catalogue& catalogue, const Operations& operations,
                 const std::atomic<bool>& cancel);
  std::unique_ptr<Runner> make() override;
  Visibility visibility() override;

  /// The thread of an actor; kNoThread: too many.
  ThreadId thread_of(u32 actor);
  u32 threads();
  /// For people.
  std::string actor_name(u32 thread);
  std::string object_name(u64 location) const { return operations_.object_name(location); }
  /// The ids of the events that a schedule names.
  std::vector<Symbol> seed_of(std::span<const Choice> schedule);
  const Operations& operations() const { return operations_; }
  Catalogue& catalogue() { return catalogue_; }

 private:
  const RuntimeOptions options_;
  Catalogue& catalogue_;
  const Operations& operations_;
  const std::atomic<bool>& cancel_;
  std::mutex mutex_;
  std::vector<u32> actors_;  // by thread, from 1 on
};

}  // namespace plait::exogenous

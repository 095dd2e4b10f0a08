// What only the state of the machine can say of a recorded run: whom a signal wakes, who holds which lock. The events
// are performed again, by the machine itself.
#pragma once
#include <map>
#include <vector>

#include "machine/sync.h"
#include "report/bug.h"

namespace plait {

/// Synchronisation objects as the events leave them.
class MachineReplay {
 public:
  /// Performs it.
  void step(const Event&);
  /// Who waits at the condition or futex there.
  ThreadSet waiting(u64 location) const;
  /// Who has been let go by the last step.
  ThreadSet woken() const { return woken_; }
  /// Of the semaphore there.
  i32 value(u64 location) const;

 private:
  u32 index(u64 key);
  const machine::Object* object(u64 location) const;

  std::map<u64, u32> indices_;
  std::vector<machine::Object> objects_{1};  // 0 is nobody
  ThreadSet woken_ = 0;
};

/// For each event that wakes others, whom, in words: " (wakes T1)", " (nobody waits)"; empty for other events.
std::vector<std::string> wake_words(const Bug&);

struct HeldLock {
  u64 location;
  std::string name;
  Place since;  // where it was taken; not known: before the trace begins
  bool shared;  // for reading
};

/// The locks that the thread holds in front of event `at`, oldest first.
std::vector<HeldLock> held_locks(const Bug&, ThreadId thread, size_t at);

/// "T1", "T1 and T2", "T1, T2 and T3".
std::string thread_list(const Bug&, ThreadSet);

}  // namespace plait

#include "instrument/object_calls.h"

#include "llvm/ADT/ArrayRef.h"

namespace plait::instrument {
namespace {

constexpr const char* kFunctions[] = {
    "pthread_mutex_", "pthread_rwlock_", "pthread_spin_", "pthread_cond_", "pthread_barrier_", "sem_", "mtx_", "cnd_",
};

// Members: the object is `this`.
constexpr const char* kMembers[] = {
    "_ZNSt5mutex",
    "_ZNSt15recursive_mutex",
    "_ZNSt12shared_mutex",
    "_ZNSt11timed_mutex",
    "_ZNSt6atomicI",
    "_ZNKSt6atomicI",
    "_ZNVSt6atomicI",
    "_ZNSt13__atomic_baseI",
    "_ZNKSt13__atomic_baseI",
    "_ZNSt11atomic_flag",
    "_ZNSt18condition_variable10notify_",
};

constexpr const char* kGuards[] = {"_ZNSt10lock_guardI", "_ZNSt11unique_lockI", "_ZNSt11shared_lockI"};

bool starts_with_one_of(llvm::StringRef function, llvm::ArrayRef<const char*> prefixes) {
  for (const char* prefix : prefixes)
    if (function.starts_with(prefix)) return true;
  return false;
}

}  // namespace

std::optional<unsigned> object_argument(llvm::StringRef function, unsigned arguments) {
  if (arguments >= 1 && starts_with_one_of(function, kFunctions)) return 0;
  // Waiting for atomics has counters of its own.
  const bool atomic_wait = function.contains("atomic") && (function.contains("wait") || function.contains("notify"));
  if (arguments >= 1 && !atomic_wait && starts_with_one_of(function, kMembers)) return 0;
  // The constructor takes the mutex by reference; for other members the object is the guard.
  const bool constructor = function.contains("C1ER") || function.contains("C2ER");
  if (arguments == 2 && constructor && starts_with_one_of(function, kGuards)) return 1;
  return std::nullopt;
}

}  // namespace plait::instrument

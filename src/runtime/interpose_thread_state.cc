// pthread: keys, names, scheduling parameters and processors. One processor would do for us: the values are kept,
// nothing follows from them.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "runtime/process.h"
#include "runtime/result.h"
#include "runtime/thread_state.h"

namespace plait::runtime {
namespace {

Key keys[kMaxKeys];
Key keys_before_main[kMaxKeys];
bool keys_saved = false;
bool keys_changed = false;  // since the last reset

constexpr size_t kNameSize = 16;  // as in Linux
struct ThreadState {
  char name[kNameSize];
  int policy;
  int priority;
  cpu_set_t processors;
};
ThreadState states[kMaxThreads];
int concurrency = 0;

bool is_empty(const cpu_set_t& set) { return CPU_COUNT(&set) == 0; }

const cpu_set_t& all_processors() {
  static cpu_set_t set;
  if (is_empty(set)) PLAIT_REAL(sched_getaffinity)(0, sizeof set, &set);
  return set;
}

ThreadState& state_of(const Fiber& fiber) { return states[fiber.id]; }

bool is_possible(int policy, int priority) {
  const int least = sched_get_priority_min(policy), most = sched_get_priority_max(policy);
  return least >= 0 && most >= 0 && priority >= least && priority <= most;
}

int set_scheduling(const Fiber* fiber, int policy, int priority) {
  if (!fiber) return ESRCH;
  if (!is_possible(policy, priority)) return EINVAL;
  change(Ghost::ThreadScheduling, hash_of(&policy, sizeof policy) * 31 + static_cast<u64>(priority), fiber->id);
  state_of(*fiber).policy = policy;
  state_of(*fiber).priority = priority;
  return 0;
}

}  // namespace

Key look_at_key(u32 key) {
  look_at(Ghost::Keys);
  return keys[key];
}

int scheduling_policy(const Fiber& fiber) {
  look_at(Ghost::ThreadScheduling, fiber.id);
  return state_of(fiber).policy;
}

void look_at_state(const Fiber& parent) {
  look_at(Ghost::ThreadName, parent.id);
  look_at(Ghost::ThreadScheduling, parent.id);
  look_at(Ghost::ThreadProcessors, parent.id);
}

void inherit_state(const Fiber& parent, Fiber& child) {
  state_of(child) = state_of(parent);
  child.signal_mask = parent.signal_mask;
}

namespace {

/// Of main.
ThreadState first_state() {
  ThreadState first = {};
  first.policy = SCHED_OTHER;
  const char* path = process.argc > 0 && process.argv ? process.argv[0] : "";
  const char* slash = strrchr(path, '/');
  strncpy(first.name, slash ? slash + 1 : path, kNameSize - 1);
  return first;
}

}  // namespace

void reset_thread_state() {
  if (!keys_saved) {
    keys_saved = true;
    memcpy(keys_before_main, keys, sizeof keys);
  } else if (keys_changed) {
    memcpy(keys, keys_before_main, sizeof keys);
  }
  keys_changed = false;
  concurrency = 0;
  static const ThreadState first = first_state();
  states[0] = first;
}

}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  change(Ghost::Keys, hash_of(&destructor, sizeof destructor));
  for (unsigned i = 0; i < kMaxKeys; ++i) {
    if (keys[i].used) continue;
    keys[i].used = true;
    keys[i].destructor = destructor;
    keys_changed = true;
    give(key, pthread_key_t{i}, take_call_site());
    return 0;
  }
  return EAGAIN;
}
int pthread_key_delete(pthread_key_t key) noexcept {
  change(Ghost::Keys, ~u64{key});
  if (key >= kMaxKeys || !keys[key].used) return EINVAL;
  keys[key].used = false;
  ++keys[key].generation;
  keys_changed = true;
  return 0;
}
void* pthread_getspecific(pthread_key_t key) noexcept {
  const Fiber& fiber = *run.current;
  if (key >= fiber.keys_used || !fiber.keys[key].value) return nullptr;
  const Key known = look_at_key(key);
  return known.used && known.generation == fiber.keys[key].generation ? const_cast<void*>(fiber.keys[key].value)
                                                                      : nullptr;
}
int pthread_setspecific(pthread_key_t key, const void* value) noexcept {
  if (key >= kMaxKeys) return EINVAL;
  const Key known = look_at_key(key);
  if (!known.used) return EINVAL;
  Fiber& fiber = *run.current;
  fiber.keys[key] = {value, known.generation};
  if (key >= fiber.keys_used) fiber.keys_used = key + 1;
  return 0;
}

int pthread_setname_np(pthread_t handle, const char* name) noexcept {
  Fiber* fiber = fiber_of_handle(handle);
  if (!fiber) return ESRCH;
  char text[kNameSize] = {};
  const u32 site = take_call_site();
  for (size_t i = 0;; ++i) {
    if (i == kNameSize) return ERANGE;
    text[i] = take(name + i, site);
    if (!text[i]) break;
  }
  change(Ghost::ThreadName, hash_of(text), fiber->id);
  memcpy(state_of(*fiber).name, text, kNameSize);
  return 0;
}
int pthread_getname_np(pthread_t handle, char* name, size_t size) noexcept {
  const Fiber* fiber = fiber_of_handle(handle);
  if (!fiber) return ESRCH;
  if (size < kNameSize) return ERANGE;
  look_at(Ghost::ThreadName, fiber->id);
  char text[kNameSize];
  memcpy(text, state_of(*fiber).name, kNameSize);
  store_range(reinterpret_cast<u64>(name), text, strlen(text) + 1, take_call_site());
  return 0;
}

int pthread_setschedparam(pthread_t handle, int policy, const sched_param* parameters) noexcept {
  return set_scheduling(fiber_of_handle(handle), policy, take(parameters, take_call_site()).sched_priority);
}
int pthread_getschedparam(pthread_t handle, int* policy, sched_param* parameters) noexcept {
  const Fiber* fiber = fiber_of_handle(handle);
  if (!fiber) return ESRCH;
  look_at(Ghost::ThreadScheduling, fiber->id);
  const ThreadState state = state_of(*fiber);
  const u32 site = take_call_site();
  give(policy, state.policy, site);
  sched_param result = {};
  result.sched_priority = state.priority;
  give(parameters, result, site);
  return 0;
}
int pthread_setschedprio(pthread_t handle, int priority) noexcept {
  const Fiber* fiber = fiber_of_handle(handle);
  if (!fiber) return ESRCH;
  look_at(Ghost::ThreadScheduling, fiber->id);
  return set_scheduling(fiber, state_of(*fiber).policy, priority);
}

int pthread_setaffinity_np(pthread_t handle, size_t size, const cpu_set_t* processors) noexcept {
  const Fiber* fiber = fiber_of_handle(handle);
  if (!fiber) return ESRCH;
  cpu_set_t wanted;
  CPU_ZERO(&wanted);
  load_range(reinterpret_cast<char*>(&wanted), reinterpret_cast<u64>(processors),
             size < sizeof wanted ? size : sizeof wanted, take_call_site());
  CPU_AND(&wanted, &wanted, &all_processors());
  if (is_empty(wanted)) return EINVAL;
  change(Ghost::ThreadProcessors, hash_of(&wanted, sizeof wanted), fiber->id);
  state_of(*fiber).processors = wanted;
  return 0;
}
int pthread_getaffinity_np(pthread_t handle, size_t size, cpu_set_t* processors) noexcept {
  const Fiber* fiber = fiber_of_handle(handle);
  if (!fiber) return ESRCH;
  look_at(Ghost::ThreadProcessors, fiber->id);
  const cpu_set_t& own = state_of(*fiber).processors;
  const cpu_set_t result = is_empty(own) ? all_processors() : own;
  const u32 site = take_call_site();
  const size_t known = size < sizeof result ? size : sizeof result;
  store_range(reinterpret_cast<u64>(processors), reinterpret_cast<const char*>(&result), known, site);
  if (size > known) fill(reinterpret_cast<u64>(processors) + known, 0, size - known, site);
  return 0;
}

int pthread_getcpuclockid(pthread_t handle, clockid_t* clock) noexcept {
  if (!fiber_of_handle(handle)) return ESRCH;
  give(clock, clockid_t{CLOCK_THREAD_CPUTIME_ID}, take_call_site());  // all clocks are the thread's virtual one
  return 0;
}

int pthread_setconcurrency(int level) noexcept {
  if (level < 0) return EINVAL;
  change(Ghost::Concurrency, static_cast<u64>(level));
  concurrency = level;
  return 0;
}
int pthread_getconcurrency() noexcept {
  look_at(Ghost::Concurrency);
  return concurrency;
}

int pthread_getattr_np(pthread_t handle, pthread_attr_t* attributes) noexcept {
  const Fiber* fiber = fiber_of_handle(handle);
  if (!fiber) return ESRCH;
  pthread_attr_t result;
  PLAIT_REAL(pthread_attr_init)(&result);
  const int error = PLAIT_REAL(pthread_attr_setstack)(
      &result, reinterpret_cast<void*>(slice(fiber->id) + kStackOffset + kPage), kStackSize - kPage);
  if (error) return error;
  if (fiber->detached) PLAIT_REAL(pthread_attr_setdetachstate)(&result, PTHREAD_CREATE_DETACHED);
  give(attributes, result, take_call_site());
  return 0;
}
}

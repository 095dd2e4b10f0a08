// Double-checked locking, broken in the way that needs no weak memory: the pointer is published before the object is
// ready, so the unlocked fast path of the other thread sees a half-made object.
//
//   plait check examples/double_checked.cc                     finds the assertion failure
//   plait check --cflags -DPUBLISH_LAST examples/double_checked.cc     safe
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Configuration {
  int workers = 0;
  void load() { workers = 8; }
};

Configuration storage;
std::atomic<Configuration*> instance;
std::mutex mutex;

Configuration* configuration() {
  Configuration* found = instance.load();  // first check, no lock
  if (found) return found;
  std::lock_guard lock(mutex);
  found = instance.load();                 // second check
  if (!found) {
    found = &storage;
#ifdef PUBLISH_LAST
    found->load();
    instance.store(found);
#else
    instance.store(found);  // too early: others may use it from here on
    found->load();
#endif
  }
  return found;
}

int main() {
  std::thread other([] { assert(configuration()->workers == 8); });
  assert(configuration()->workers == 8);
  other.join();
}

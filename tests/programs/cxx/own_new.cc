// Operators new and delete of the program's own, for everything and for a class. Broken: the class's pool is not locked.
// CHECK: verdict=bug kind=race
// CHECK-FIXED: verdict=safe
// SELF-CHECK: off (every interleaving, but no races)
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

std::atomic<int> made{0}, gone{0};

void* operator new(std::size_t size) {
  ++made;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  ++gone;
  std::free(memory);
}

std::mutex mutex;

struct Pooled {
  int value = 3;
  static inline char pool[64];
  static inline std::size_t used = 0;
  static void* operator new(std::size_t size) {
#ifdef FIXED
    std::lock_guard lock(mutex);
#endif
    void* memory = pool + used;
    used += size;
    return memory;
  }
  static void operator delete(void*) {}
};

int main() {
  std::thread thread([] { delete new Pooled; });
  const int before = made;
  int* numbers = new int[4]();  // by operator new
  assert(made > before);
  delete[] numbers;
  auto* pooled = new Pooled;
  assert(pooled->value == 3);
  delete pooled;
  thread.join();
  assert(gone > 0);
}

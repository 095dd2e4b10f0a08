// A reference count whose last owner deletes: the decrement must release what its thread did with the object, and the
// last one must acquire it. With relaxed decrements nothing orders the uses before the delete.
// CHECK: verdict=bug kind=race
// EXPLORERS: all
// CHECK-FIXED: verdict=safe
#include <atomic>
#include <thread>

struct Object {
  std::atomic<int> count{2};
  int value = 0;
};

static void drop(Object* object) {
#ifdef FIXED
  if (object->count.fetch_sub(1, std::memory_order_release) != 1) return;
  std::atomic_thread_fence(std::memory_order_acquire);
#else
  if (object->count.fetch_sub(1, std::memory_order_relaxed) != 1) return;
#endif
  object->value = -1;  // as destructors do
  delete object;
}

int main() {
  auto* object = new Object;
  std::thread other([=] {
    if (object->count.load(std::memory_order_relaxed) == 2) object->value = 7;
    drop(object);
  });
  drop(object);
  other.join();
}

// The consumer looks at the slot before the producer has filled it.
// fix: wait for `filled` before reading slot->size.
// says: read slot->size = uninitialised
// says: which has no value yet
#include <atomic>
#include <cstdlib>
#include <thread>

struct Slot {
  std::atomic<bool> filled;
  std::atomic<int> size;
};

int main() {
  Slot* slot = static_cast<Slot*>(std::malloc(sizeof(Slot)));
  std::thread producer([=] {
    slot->size = 12;
    slot->filled = true;
  });
  int big = 0;
  if (slot->size > 10) big = 1;
  producer.join();
  std::free(slot);
  return big == 7;
}

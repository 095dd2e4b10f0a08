// `if` where `while` is needed: the item is gone when the woken consumer gets the mutex.
// fix: while (items == 0) in take().
// says: signal not_empty (wakes T2)
// says: items = 0 (step
// says: was written by T1 at stolen_item.cc:
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable not_empty;
int items = 0;

void take() {
  std::unique_lock lock(mutex);
  if (items == 0) not_empty.wait(lock);
  assert(items > 0);
  --items;
}

void put() {
  std::lock_guard lock(mutex);
  ++items;
  not_empty.notify_one();
}

int main() {
  std::thread waiter(take), other(take), producer([] {
    put();
    put();
  });
  waiter.join();
  other.join();
  producer.join();
}

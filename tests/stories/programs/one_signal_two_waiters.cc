// Two consumers wait, one notify_one for two items.
// fix: notify_all, or notify_one for each item.
// says: signal queue.not_empty (wakes T1)
// says: T2 waited then, but it woke T1
#include <condition_variable>
#include <mutex>
#include <thread>

struct Queue {
  std::mutex mutex;
  std::condition_variable not_empty;
  int items = 0;
};

int main() {
  Queue queue;
  auto consume = [&] {
    std::unique_lock lock(queue.mutex);
    while (queue.items == 0) queue.not_empty.wait(lock);
    --queue.items;
  };
  std::thread first(consume), second(consume);
  {
    std::lock_guard lock(queue.mutex);
    queue.items += 2;
    queue.not_empty.notify_one();
  }
  first.join();
  second.join();
}

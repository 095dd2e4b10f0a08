// A blocking queue with one producer and one consumer.
// CHECK: verdict=safe
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

template <class T>
class BlockingQueue {
 public:
  void push(T value) {
    {
      std::lock_guard lock(mutex_);
      queue_.push(std::move(value));
    }
    filled_.notify_one();
  }
  T pop() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [this] { return !queue_.empty(); });
    T value = std::move(queue_.front());
    queue_.pop();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::queue<T> queue_;
};

int main() {
  BlockingQueue<int> queue;
  std::thread producer([&] {
    for (int i = 1; i <= 3; ++i) queue.push(i);
  });
  for (int i = 1; i <= 3; ++i) {
    const int got = queue.pop();
    assert(got == i);
  }
  producer.join();
}

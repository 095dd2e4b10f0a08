// A bounded buffer with one mutex and two condition variables. Correct: every schedule delivers the items in order.
//
//   plait check examples/bounded_buffer.cc        safe
//
// Try it: replace a `while` in put or take by nothing, or notify the wrong condition, and check again.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class Buffer {
 public:
  void put(int item) {
    std::unique_lock lock(mutex_);
    while (count_ == kCapacity) not_full_.wait(lock);
    items_[(first_ + count_++) % kCapacity] = item;
    not_empty_.notify_one();
  }

  int take() {
    std::unique_lock lock(mutex_);
    while (count_ == 0) not_empty_.wait(lock);
    int item = items_[first_];
    first_ = (first_ + 1) % kCapacity;
    --count_;
    not_full_.notify_one();
    return item;
  }

 private:
  static constexpr int kCapacity = 1;
  std::mutex mutex_;
  std::condition_variable not_full_, not_empty_;
  int items_[kCapacity] = {};
  int first_ = 0, count_ = 0;
};

Buffer buffer;

int main() {
  std::thread producer([] {
    buffer.put(1);
    buffer.put(2);
  });
  int first = buffer.take();
  int second = buffer.take();
  producer.join();
  assert(first == 1 && second == 2);
}

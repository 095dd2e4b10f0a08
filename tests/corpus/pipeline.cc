// Three stages with queues between them.
// CHECK: verdict=safe
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <queue>
#include <string>
#include <thread>

template <class T>
class Channel {
 public:
  void send(T value) {
    std::lock_guard lock(mutex_);
    queue_.push(std::move(value));
    changed_.notify_one();
  }
  void close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  std::optional<T> receive() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || !queue_.empty(); });
    if (queue_.empty()) return std::nullopt;
    T value = std::move(queue_.front());
    queue_.pop();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<T> queue_;
  bool closed_ = false;
};

int main() {
  Channel<int> numbers;
  Channel<std::string> texts;
  std::thread source([&] {
    for (int i = 1; i <= 2; ++i) numbers.send(i);
    numbers.close();
  });
  std::thread format([&] {
    while (auto number = numbers.receive()) texts.send(std::to_string(*number * *number));
    texts.close();
  });
  std::string all;
  while (auto text = texts.receive()) all += *text + ";";
  source.join();
  format.join();
  assert(all == "1;4;");
}

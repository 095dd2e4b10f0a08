// A token bucket that is refilled by the clock: never more than its size at once.
// CHECK: verdict=safe
#include <algorithm>
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

class Bucket {
 public:
  bool take() {
    std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    tokens_ = std::min<long>(2, tokens_ + (now - last_) / std::chrono::seconds(10));
    last_ = now;
    if (tokens_ == 0) return false;
    --tokens_;
    return true;
  }

 private:
  std::mutex mutex_;
  long tokens_ = 2;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

int main() {
  Bucket bucket;
  int mine = 0, others = 0;
  std::thread other([&] { others = bucket.take() + bucket.take(); });
  mine = bucket.take();
  other.join();
  assert(mine + others == 2);
}

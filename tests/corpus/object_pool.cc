// Objects are given back to a pool by the deleters of their pointers.
// CHECK: verdict=safe
#include <cassert>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Buffer {
  int used = 0;
};

class Pool {
 public:
  using Handle = std::unique_ptr<Buffer, std::function<void(Buffer*)>>;
  Handle get() {
    std::lock_guard lock(mutex_);
    if (free_.empty()) {
      all_.push_back(std::make_unique<Buffer>());
      free_.push_back(all_.back().get());
    }
    Buffer* buffer = free_.back();
    free_.pop_back();
    return Handle(buffer, [this](Buffer* done) { give_back(done); });
  }
  size_t size() const { return all_.size(); }

 private:
  void give_back(Buffer* buffer) {
    std::lock_guard lock(mutex_);
    free_.push_back(buffer);
  }
  std::mutex mutex_;
  std::vector<std::unique_ptr<Buffer>> all_;
  std::vector<Buffer*> free_;
};

int main() {
  Pool pool;
  auto use = [&] {
    auto buffer = pool.get();
    ++buffer->used;
  };
  std::thread other(use);
  use();
  other.join();
  assert(pool.size() == 1 || pool.size() == 2);
}

// Signals and slots: a slot is disconnected while the signal is emitted.
// CHECK: verdict=safe
#include <atomic>
#include <cassert>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

class Signal {
 public:
  using Slot = std::function<void(int)>;
  int connect(Slot slot) {
    std::lock_guard lock(mutex_);
    slots_.emplace(++last_, std::make_shared<Slot>(std::move(slot)));
    return last_;
  }
  void disconnect(int id) {
    std::lock_guard lock(mutex_);
    slots_.erase(id);
  }
  void emit(int value) {
    std::vector<std::shared_ptr<Slot>> copy;
    {
      std::lock_guard lock(mutex_);
      for (auto& [id, slot] : slots_) copy.push_back(slot);
    }
    for (auto& slot : copy) (*slot)(value);
  }

 private:
  std::mutex mutex_;
  std::map<int, std::shared_ptr<Slot>> slots_;
  int last_ = 0;
};

int main() {
  Signal signal;
  std::atomic<int> sum{0};
  const int id = signal.connect([&](int value) { sum += value; });
  signal.connect([&](int value) { sum += 10 * value; });
  std::thread a([&] { signal.emit(1); });
  std::thread b([&] { signal.disconnect(id); });
  a.join();
  b.join();
  assert(sum == 11 || sum == 10);
}

// Observers that may have gone.
// CHECK: verdict=safe
#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Observer {
  std::atomic<int> seen{0};
  void notify() { ++seen; }
};

class Subject {
 public:
  void add(const std::shared_ptr<Observer>& observer) {
    std::lock_guard lock(mutex_);
    observers_.push_back(observer);
  }
  int tell() {
    std::lock_guard lock(mutex_);
    int told = 0;
    for (auto& weak : observers_)
      if (auto observer = weak.lock()) observer->notify(), ++told;
    return told;
  }

 private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<Observer>> observers_;
};

int main() {
  Subject subject;
  auto observer = std::make_shared<Observer>();
  subject.add(observer);
  std::thread teller([&] {
    const int told = subject.tell();
    assert(told == 0 || told == 1);
  });
  observer.reset();
  teller.join();
}

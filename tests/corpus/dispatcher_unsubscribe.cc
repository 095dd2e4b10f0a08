// Listeners that take themselves out while an event is being delivered.
// CHECK: verdict=safe
#include <algorithm>
#include <cassert>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

class Dispatcher {
 public:
  using Listener = std::function<void(int)>;
  int add(Listener listener) {
    std::lock_guard lock(mutex_);
    auto next = std::make_shared<List>(*listeners_);
    next->emplace_back(++last_, std::move(listener));
    listeners_ = next;
    return last_;
  }
  void remove(int id) {
    std::lock_guard lock(mutex_);
    auto next = std::make_shared<List>(*listeners_);
    std::erase_if(*next, [id](const auto& entry) { return entry.first == id; });
    listeners_ = next;
  }
  void emit(int event) {
    std::shared_ptr<const List> now;
    {
      std::lock_guard lock(mutex_);
      now = listeners_;
    }
    for (const auto& [id, listener] : *now) listener(event);
  }

 private:
  using List = std::vector<std::pair<int, Listener>>;
  std::mutex mutex_;
  std::shared_ptr<const List> listeners_ = std::make_shared<List>();
  int last_ = 0;
};

int main() {
  Dispatcher dispatcher;
  int seen = 0, id = 0;
  id = dispatcher.add([&](int event) {
    seen += event;
    dispatcher.remove(id);
  });
  std::thread other([&] { dispatcher.add([](int) {}); });
  dispatcher.emit(5);
  dispatcher.emit(7);
  other.join();
  assert(seen == 5);
}

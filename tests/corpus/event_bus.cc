// Publish and subscribe.
// CHECK: verdict=safe
#include <cassert>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class EventBus {
 public:
  using Handler = std::function<void(const std::string&)>;
  void subscribe(const std::string& topic, Handler handler) {
    std::lock_guard lock(mutex_);
    handlers_[topic].push_back(std::move(handler));
  }
  int publish(const std::string& topic, const std::string& text) {
    std::vector<Handler> handlers;
    {
      std::lock_guard lock(mutex_);
      auto found = handlers_.find(topic);
      if (found != handlers_.end()) handlers = found->second;
    }
    for (auto& handler : handlers) handler(text);
    return static_cast<int>(handlers.size());
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::vector<Handler>> handlers_;
};

int main() {
  EventBus bus;
  std::mutex mutex;
  std::string heard;
  auto listen = [&](const std::string& text) {
    std::lock_guard lock(mutex);
    heard += text;
  };
  std::thread subscriber([&] { bus.subscribe("news", listen); });
  int reached = 0;
  std::thread publisher([&] { reached = bus.publish("news", "x"); });
  subscriber.join();
  publisher.join();
  assert(heard == (reached ? "x" : ""));
}

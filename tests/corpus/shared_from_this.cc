// A session keeps itself alive while its callback runs on another thread.
// CHECK: verdict=safe
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

std::atomic<int> alive;

class Session : public std::enable_shared_from_this<Session> {
 public:
  Session() { ++alive; }
  ~Session() { --alive; }
  std::thread start() {
    return std::thread([self = shared_from_this()] { self->finished_ = true; });
  }

 private:
  std::atomic<bool> finished_{false};
};

int main() {
  std::thread work;
  {
    auto session = std::make_shared<Session>();
    work = session->start();
  }
  work.join();
  assert(alive == 0);
}

// An actor: messages of two kinds in a mailbox, a thread that handles them, a reply by promise.
// CHECK: verdict=safe
#include <cassert>
#include <condition_variable>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <variant>

struct Add {
  int amount;
};
struct Ask {
  std::shared_ptr<std::promise<int>> reply;
};
struct Stop {};
using Message = std::variant<Add, Ask, Stop>;

class Actor {
 public:
  Actor() : thread_(&Actor::work, this) {}
  ~Actor() {
    send(Stop{});
    thread_.join();
  }
  void send(Message message) {
    std::lock_guard lock(mutex_);
    mailbox_.push_back(std::move(message));
    filled_.notify_one();
  }

 private:
  void work() {
    int total = 0;
    for (;;) {
      std::unique_lock lock(mutex_);
      filled_.wait(lock, [&] { return !mailbox_.empty(); });
      Message message = std::move(mailbox_.front());
      mailbox_.pop_front();
      lock.unlock();
      if (std::holds_alternative<Stop>(message)) return;
      if (auto* add = std::get_if<Add>(&message)) total += add->amount;
      if (auto* ask = std::get_if<Ask>(&message)) ask->reply->set_value(total);
    }
  }
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<Message> mailbox_;
  std::thread thread_;
};

int main() {
  Actor actor;
  actor.send(Add{3});
  auto reply = std::make_shared<std::promise<int>>();
  actor.send(Ask{reply});
  assert(reply->get_future().get() == 3);
}

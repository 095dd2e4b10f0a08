// An actor that gets messages of three kinds.
// CHECK: verdict=safe
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <variant>

struct Add {
  int amount;
};
struct Name {
  std::string name;
};
struct Stop {};
using Message = std::variant<Add, Name, Stop>;

class Actor {
 public:
  Actor() : thread_([this] { run(); }) {}
  ~Actor() {
    send(Stop{});
    thread_.join();
    assert(sum_ == 3 && name_ == "adder");
  }
  void send(Message message) {
    std::lock_guard lock(mutex_);
    mailbox_.push_back(std::move(message));
    filled_.notify_one();
  }

 private:
  void run() {
    for (bool running = true; running;) {
      std::unique_lock lock(mutex_);
      filled_.wait(lock, [this] { return !mailbox_.empty(); });
      Message message = std::move(mailbox_.front());
      mailbox_.pop_front();
      lock.unlock();
      if (auto* add = std::get_if<Add>(&message)) sum_ += add->amount;
      if (auto* name = std::get_if<Name>(&message)) name_ = name->name;
      if (std::holds_alternative<Stop>(message)) running = false;
    }
  }
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<Message> mailbox_;
  int sum_ = 0;
  std::string name_;
  std::thread thread_;
};

int main() {
  Actor actor;
  actor.send(Add{1});
  actor.send(Name{"adder"});
  actor.send(Add{2});
}

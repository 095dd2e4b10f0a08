// Reads under the lock, adds outside, writes under the lock: an update is lost.
// CHECK: verdict=bug kind=assertion
#include <cassert>
#include <mutex>
#include <thread>

class Account {
 public:
  int balance() {
    std::lock_guard lock(mutex_);
    return balance_;
  }
  void set(int value) {
    std::lock_guard lock(mutex_);
    balance_ = value;
  }

 private:
  std::mutex mutex_;
  int balance_ = 0;
};

int main() {
  Account account;
  auto deposit = [&](int amount) { account.set(account.balance() + amount); };
  std::thread other(deposit, 10);
  deposit(5);
  other.join();
  assert(account.balance() == 15);
}

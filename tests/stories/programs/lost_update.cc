// Two deposits at the same time: one of them is lost.
// fix: the read and the write of balance_ in one critical section, or fetch_add.
// says: read account.balance_ = 0 int seen = balance_;
// says: account.balance_ = 20 (step 9) was written by main
#include <atomic>
#include <cassert>
#include <thread>

class Account {
 public:
  void deposit(int amount) {
    int seen = balance_;
    balance_ = seen + amount;
  }
  int balance() const { return balance_; }

 private:
  std::atomic<int> balance_{0};
};

Account account;

int main() {
  std::thread salary([] { account.deposit(100); });
  account.deposit(20);
  salary.join();
  assert(account.balance() == 120);
}

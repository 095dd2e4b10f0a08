// Lost update: two deposits, each a read and a write of the balance.
//
//   plait check examples/bank.cc        finds the assertion failure
//
// The test on a busy machine passes almost always: between the read and the write lies a nanosecond.
#include <cassert>
#include <thread>

class Account {
 public:
  void deposit(int amount) {
    int seen = balance_;       // both threads may read the same balance here ...
    balance_ = seen + amount;  // ... and the later write wipes out the earlier one
  }
  int balance() const { return balance_; }

 private:
  int balance_ = 0;
};

Account account;

int main() {
  std::thread salary([] { account.deposit(100); });
  account.deposit(20);
  salary.join();
  assert(account.balance() == 120);
}

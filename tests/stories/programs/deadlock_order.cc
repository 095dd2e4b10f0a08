// transfer() locks both accounts in the order of its arguments.
// fix: std::scoped_lock lock(from.mutex, to.mutex).
// says: T1 holds alice.mutex
// says: and waits for mutex bob.mutex
// says: T2 holds bob.mutex
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};

Account alice, bob;

void transfer(Account& from, Account& to, int amount) {
  std::lock_guard first(from.mutex);
  std::lock_guard second(to.mutex);
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  std::thread one([] { transfer(alice, bob, 10); });
  std::thread two([] { transfer(bob, alice, 20); });
  one.join();
  two.join();
}

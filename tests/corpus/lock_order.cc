// Two accounts, locked in the order of the arguments.
// CHECK: verdict=bug kind=deadlock
// CHECK-FIXED: verdict=safe
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};

void transfer(Account& from, Account& to, int amount) {
#ifdef FIXED
  std::scoped_lock lock(from.mutex, to.mutex);
#else
  std::lock_guard first(from.mutex);
  std::lock_guard second(to.mutex);
#endif
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  Account a, b;
  std::thread one([&] { transfer(a, b, 10); }), two([&] { transfer(b, a, 20); });
  one.join();
  two.join();
  assert(a.balance == 110 && b.balance == 90);
}

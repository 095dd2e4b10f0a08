// Transfers in both directions: scoped_lock takes both locks in any order, two lock_guards deadlock.
// CHECK: verdict=bug kind=deadlock
// CHECK-FIXED: verdict=safe
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 10;
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
  std::thread other([&] { transfer(a, b, 3); });
  transfer(b, a, 5);
  other.join();
  assert(a.balance == 12 && b.balance == 8);
}

// Three transfers in a circle: each holds what the next one wants.
// says: they wait for each other in a circle
// says: T1 holds bank.savings.mutex
// says: T2 holds bank.checking.mutex
// says: T3 holds bank.credit.mutex
// fix: take both mutexes with std::scoped_lock
#include <mutex>
#include <thread>
struct Account {
  std::mutex mutex;
  int balance = 100;
};
struct Bank {
  Account savings, checking, credit;
};
void move(Account& from, Account& to, int amount) {
  std::lock_guard a(from.mutex);
  std::lock_guard b(to.mutex);
  from.balance -= amount;
  to.balance += amount;
}
int main() {
  Bank bank;
  std::thread t1(move, std::ref(bank.savings), std::ref(bank.checking), 10);
  std::thread t2(move, std::ref(bank.checking), std::ref(bank.credit), 20);
  std::thread t3(move, std::ref(bank.credit), std::ref(bank.savings), 30);
  t1.join();
  t2.join();
  t3.join();
}

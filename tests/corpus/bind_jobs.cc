// Jobs made by std::bind.
// CHECK: verdict=safe
#include <cassert>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>

struct Account {
  std::mutex mutex;
  long balance = 0;
  void deposit(int amount, short times) {
    std::lock_guard lock(mutex);
    balance += amount * times;
  }
};

int main() {
  Account account;
  std::queue<std::function<void()>> jobs;
  std::mutex mutex;
  jobs.push(std::bind(&Account::deposit, &account, 5, short{2}));
  jobs.push(std::bind(&Account::deposit, &account, 7, short{1}));
  auto work = [&] {
    std::function<void()> job;
    {
      std::lock_guard lock(mutex);
      job = std::move(jobs.front());
      jobs.pop();
    }
    job();
  };
  std::thread a(work), b(work);
  a.join();
  b.join();
  assert(account.balance == 17);
}

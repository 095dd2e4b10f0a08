// The notification comes after the store that lets the waiter delete the atomic.
// OPTIONS: --races off
// CHECK: verdict=bug kind=use-after-free line=@notify
#include <atomic>
#include <thread>

int main() {
  auto* flag = new std::atomic<int>(0);
  std::thread other([flag] {
    flag->store(1);
    flag->notify_one();  // @notify
  });
  flag->wait(0);
  delete flag;
  other.join();
}

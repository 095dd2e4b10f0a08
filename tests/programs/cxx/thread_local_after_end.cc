// The thread-local variables of a thread end with it: an int that only another thread touches, and a mutex.
// CHECK: verdict=bug kind=use-after-scope line=@fails
// EXPLORERS: all
// OPTIONS: --keep-going
// BUGS: 2
#include <atomic>
#include <mutex>
#include <thread>

static std::atomic<int*> number;
static std::atomic<std::mutex*> mutex;

int main() {
  std::thread a([] {
    thread_local int own = 3;
    thread_local std::mutex own_mutex;
    number = &own;
    mutex = &own_mutex;
  });
  std::thread b([] {
    if (int* const its = number) *its = 5;  // @fails
  });
  if (std::mutex* const its = mutex) {
    its->lock();    // @fails
    its->unlock();  // @fails
  }
  b.join();
  a.join();
  return 0;
}

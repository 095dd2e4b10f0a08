// A hand-made barrier that resets its count too early: one of them never leaves.
// fix: wait for a generation, not for the count.
// says: read barrier.arrived = 1
// says: T1 waits for a signal on barrier.full at barrier_reuse.cc:
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kThreads = 3;

struct Barrier {
  std::mutex mutex;
  std::condition_variable full;
  int arrived = 0;

  void wait() {
    std::unique_lock lock(mutex);
    if (++arrived == kThreads) {
      arrived = 0;
      full.notify_all();
      return;
    }
    while (arrived != 0) full.wait(lock);
  }
};

Barrier barrier;

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([] {
      barrier.wait();
      barrier.wait();
    });
  for (std::thread& thread : threads) thread.join();
}

// Peterson's lock without fences: a store waits in its buffer while the other thread is asked.
// says: T2's store to peterson.turn
// says: was still in its buffer
// says: inside
// fix: store turn with memory_order_seq_cst
// options: --memory-model tso
#include <atomic>
#include <cassert>
#include <thread>
struct Lock {
  std::atomic<bool> wants[2] = {false, false};
  std::atomic<int> turn{0};
  void lock(int me) {
    wants[me].store(true, std::memory_order_release);
    turn.store(1 - me, std::memory_order_release);
    while (wants[1 - me].load(std::memory_order_acquire) && turn.load(std::memory_order_acquire) == 1 - me)
      std::this_thread::yield();
  }
  void unlock(int me) { wants[me].store(false, std::memory_order_release); }
};
Lock peterson;
std::atomic<int> inside{0};
void enter(int me) {
  peterson.lock(me);
  assert(inside.fetch_add(1, std::memory_order_relaxed) == 0);
  inside.fetch_sub(1, std::memory_order_relaxed);
  peterson.unlock(me);
}
int main() {
  std::thread a(enter, 0), b(enter, 1);
  a.join();
  b.join();
}

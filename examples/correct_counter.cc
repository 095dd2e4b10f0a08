// A correct program: an atomic counter and one guarded by a mutex. Plait runs every interleaving and says "safe".
//
//   plait check examples/correct_counter.cc
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::atomic<int> hits;
int total;
std::mutex mutex;

void record(int amount) {
  hits.fetch_add(1);
  std::lock_guard lock(mutex);
  total += amount;
}

int main() {
  std::thread other(record, 3);
  record(4);
  other.join();
  assert(hits == 2 && total == 7);
}

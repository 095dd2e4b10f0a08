// Jobs move from one std::list to another under a mutex.
// CHECK: verdict=safe
#include <cassert>
#include <list>
#include <mutex>
#include <thread>

std::list<int> waiting{1, 2, 3}, done;
std::mutex mutex;

void work() {
  std::lock_guard lock(mutex);
  if (!waiting.empty()) done.splice(done.end(), waiting, waiting.begin());
}

int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
  assert(waiting.size() == 1 && done.size() == 2);
  assert(done.front() == 1 && done.back() == 2);
}

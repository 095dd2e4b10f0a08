// A thread-local buffer is flushed by its destructor.
// CHECK: verdict=safe
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

std::vector<int> all;
std::mutex mutex;

struct Buffer {
  std::vector<int> values;
  ~Buffer() {
    std::lock_guard lock(mutex);
    all.insert(all.end(), values.begin(), values.end());
  }
};

thread_local Buffer buffer;

int main() {
  auto work = [](int value) {
    buffer.values.push_back(value);
    buffer.values.push_back(value + 1);
  };
  std::thread a(work, 1), b(work, 10);
  a.join();
  b.join();
  assert(all.size() == 4);
  assert((all[0] == 1 && all[2] == 10) || (all[0] == 10 && all[2] == 1));
}

// Both accesses of a race lie inside of a container, where a place stands for the line that called it.
// CHECK: verdict=bug kind=race line=@a|@b
// EXPLORERS: all
// CHECK-FIXED: verdict=safe
#include <mutex>
#include <thread>
#include <vector>

static std::vector<int> numbers{1, 2, 3};
#ifdef FIXED
static std::mutex guard;
#define LOCKED std::lock_guard lock(guard)
#else
#define LOCKED
#endif

int main() {
  std::thread other([] {
    LOCKED;
    numbers.pop_back();  // @a
  });
  {
    LOCKED;
    numbers.front() += static_cast<int>(numbers.size());  // @b
  }
  other.join();
}

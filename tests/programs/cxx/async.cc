// std::async with a thread of its own. Faulty: the task and main increment the same int.
// CHECK: verdict=bug kind=assertion|race
// CHECK-FIXED: verdict=safe
#include <cassert>
#include <future>

int counter;

int main() {
  std::future<int> result = std::async(std::launch::async, [] { return ++counter; });
#ifdef FIXED
  int theirs = result.get();
  int mine = ++counter;
#else
  int mine = ++counter;
  int theirs = result.get();
#endif
  assert(mine != theirs);
}

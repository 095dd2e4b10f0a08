// Threads that take turns with a std::map and a std::list are predicted: what libstdc++ does to their nodes are accesses.
// CHECK: verdict=bug kind=assertion line=@first
// CHECK-FIXED: verdict=safe
// SELF-CHECK: off (tens of thousands of interleavings)
#include <cassert>
#include <list>
#include <map>
#include <mutex>
#include <thread>

std::map<int, int> map;
std::list<int> list;
std::mutex mutex;

int main() {
  auto add = [](int value) {
    std::lock_guard guard(mutex);
    map[value] = value;
    list.push_back(value);
  };
  std::thread a(add, 1), b(add, 2);
  a.join();
  b.join();
  assert(map.size() == 2 && map.begin()->first == 1 && list.size() == 2);
#ifndef FIXED
  assert(list.front() == 1);  // @first
#endif
}

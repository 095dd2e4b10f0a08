// Two threads have lists in one pool.
// CHECK: verdict=safe
// MERGED
#include <cassert>
#include <list>
#include <memory_resource>
#include <thread>
int main() {
  std::pmr::synchronized_pool_resource pool;
  auto work = [&] {
    std::pmr::list<int> l(&pool);
    for (int i = 0; i < 3; ++i) l.push_back(i);
    assert(l.back() == 2);
  };
  std::thread a(work), b(work);
  a.join();
  b.join();
}

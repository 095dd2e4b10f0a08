// rvaser's thread_pool: two workers that steal from each other, two jobs with results.
#include <cassert>
#include <thread_pool/thread_pool.hpp>

int main() {
  int sum = 0;
  {
    thread_pool::ThreadPool pool(1);
    auto one = pool.Submit([](int a) { return a + 1; }, 1);
    auto two = pool.Submit([](int a, int b) { return a * b; }, 2, 3);
    sum = one.get() + two.get();
  }
  assert(sum == 8);
}

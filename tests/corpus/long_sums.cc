// Two threads that compute for long on memory of their own, and then add up.
// CHECK: verdict=safe
// MERGED
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>
int main() {
  std::mutex m;
  long total = 0;
  auto f = [&](int n) {
    std::vector<long> v(3000);
    for (int i = 0; i < 3000; ++i) v[i] = i * n;
    long s = 0;
    for (long x : v) s += x;
    for (int k = 0; k < 5; ++k)
      for (int i = 1; i < 3000; ++i) v[i] += v[i - 1];
    std::lock_guard g(m);
    total += s;
  };
  std::thread a(f, 1), b(f, 2);
  a.join();
  b.join();
  assert(total == 3L * 2999 * 3000 / 2);
}

// std::call_once: one call, and nobody passes before it is finished. Faulty: an atomic flag lets the second one pass.
// CHECK: verdict=bug kind=assertion line=@assert
// CHECK-FIXED: verdict=safe
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::once_flag once;
std::atomic<bool> begun;
std::atomic<int> calls;

void ensure() {
#ifdef FIXED
  std::call_once(once, [] { ++calls; });
#else
  if (!begun.exchange(true)) ++calls;
#endif
  assert(calls == 1);  // @assert
}

int main() {
  std::thread other(ensure);
  ensure();
  other.join();
}

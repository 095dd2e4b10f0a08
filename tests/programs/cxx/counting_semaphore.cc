// std::binary_semaphore as a lock. Faulty: it starts with nobody inside but no token either.
// CHECK: verdict=bug kind=deadlock
// CHECK-FIXED: verdict=safe
#include <cassert>
#include <semaphore>
#include <thread>

#ifdef FIXED
std::counting_semaphore<1> token(1);
#else
std::counting_semaphore<1> token(0);
#endif
int value;

void work() {
  token.acquire();
  ++value;
  token.release();
}

int main() {
  std::thread other(work);
  work();
  other.join();
  assert(value == 2);
}

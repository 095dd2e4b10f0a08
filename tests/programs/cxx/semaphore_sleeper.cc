// A correct program that hangs all the same, because of libstdc++ 12 (Debian 12): acquire() reads the counter, tries to
// take a token, and then sleeps as long as the counter has the value that it read first. If that was 1, the other
// thread took the token in between and has given it back by now, the counter is 1 again, the notification is over, and
// acquire() sleeps for ever. Later libraries are right; this test then wants verdict=safe.
// CHECK: verdict=bug kind=deadlock
#include <semaphore>
#include <thread>

std::counting_semaphore<1> token(1);

void visit() {
  token.acquire();
  token.release();
}

int main() {
  std::thread other(visit);
  visit();
  other.join();
}

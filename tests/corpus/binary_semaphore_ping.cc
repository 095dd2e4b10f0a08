// Ping and pong by two binary semaphores.
// CHECK: verdict=safe
#include <cassert>
#include <semaphore>
#include <thread>

std::binary_semaphore ping(1), pong(0);
int turn;

int main() {
  std::thread a([] {
    for (int i = 0; i < 2; ++i) {
      ping.acquire();
      assert(turn == 2 * i);
      ++turn;
      pong.release();
    }
  });
  for (int i = 0; i < 2; ++i) {
    pong.acquire();
    assert(turn == 2 * i + 1);
    ++turn;
    ping.release();
  }
  a.join();
}

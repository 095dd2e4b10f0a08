// Each thread waits for the other one's flag before it sets its own: both go round for ever.
// fix: one of them sets its flag before it waits.
// says: T1 goes round: read right_ready = 0
// says: T2 goes round: read left_ready = 0
#include <atomic>
#include <thread>

std::atomic<bool> left_ready{false}, right_ready{false};

void meet(std::atomic<bool>& mine, std::atomic<bool>& other) {
  while (!other) std::this_thread::yield();
  mine = true;
}

int main() {
  std::thread left([] { meet(left_ready, right_ready); });
  std::thread right([] { meet(right_ready, left_ready); });
  left.join();
  right.join();
}

// Five stages hand a value on; the last one reads its input before the flag of its own stage is set.
// fix: stage(4) waits for done[3], not done[2].
// says: read done[2] = 1
// says: value[3] = 0
// says: nobody has written it since the threads began
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

constexpr int kStages = 5;
std::atomic<bool> done[kStages];
std::atomic<int> value[kStages];

void stage(int number) {
  int before = number == 4 ? 2 : number - 1;
  if (number > 0)
    while (!done[before]) std::this_thread::yield();
  int input = number > 0 ? value[number - 1].load() : 1;
  if (number == 4) assert(input == 8);
  value[number] = input * 2;
  done[number] = true;
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kStages; ++i) threads.emplace_back(stage, i);
  for (std::thread& thread : threads) thread.join();
}

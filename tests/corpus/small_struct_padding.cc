// Structs with holes go through a queue by value; nobody sees what lies in the holes.
// CHECK: verdict=safe
#include <cassert>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <queue>
#include <thread>

struct Sample {
  char channel;
  std::int64_t time;
  short value;
};

std::queue<Sample> samples;
std::mutex mutex;
std::condition_variable filled;

int main() {
  auto produce = [](char channel) {
    const Sample sample{channel, 1000 + channel, static_cast<short>(channel)};
    std::lock_guard lock(mutex);
    samples.push(sample);
    filled.notify_one();
  };
  std::thread a(produce, 'a'), b(produce, 'b');
  int sum = 0;
  for (int i = 0; i < 2; ++i) {
    std::unique_lock lock(mutex);
    filled.wait(lock, [] { return !samples.empty(); });
    const Sample sample = samples.front();
    samples.pop();
    assert(sample.time == 1000 + sample.channel);
    sum += sample.value;
  }
  a.join();
  b.join();
  assert(sum == 'a' + 'b');
}

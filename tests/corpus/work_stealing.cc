// Two queues: a worker whose own is empty takes from the back of the other.
// CHECK: verdict=safe
#include <array>
#include <atomic>
#include <cassert>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

struct Queue {
  std::mutex mutex;
  std::deque<std::function<void()>> jobs;
  bool take(std::function<void()>& job, bool back) {
    std::lock_guard lock(mutex);
    if (jobs.empty()) return false;
    job = std::move(back ? jobs.back() : jobs.front());
    back ? jobs.pop_back() : jobs.pop_front();
    return true;
  }
};

int main() {
  std::array<Queue, 2> queues;
  std::atomic<int> done{0};
  for (int i = 0; i < 2; ++i) queues[0].jobs.push_back([&done] { ++done; });
  auto work = [&](int own) {
    std::function<void()> job;
    while (queues[own].take(job, false) || queues[1 - own].take(job, true)) job();
  };
  std::thread thief(work, 1);
  work(0);
  thief.join();
  assert(done == 2);
}

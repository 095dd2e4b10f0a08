// The job with the highest priority first.
// CHECK: verdict=safe
#include <cassert>
#include <mutex>
#include <queue>
#include <string>
#include <thread>

struct Job {
  int priority;
  std::string name;
  bool operator<(const Job& other) const { return priority < other.priority; }
};

std::priority_queue<Job> jobs;
std::mutex mutex;

int main() {
  auto add = [](int priority, const char* name) {
    std::lock_guard lock(mutex);
    jobs.push({priority, name});
  };
  std::thread a(add, 1, "low"), b(add, 9, "high"), c(add, 5, "middle");
  a.join();
  b.join();
  c.join();
  assert(jobs.top().name == "high");
  jobs.pop();
  assert(jobs.top().name == "middle");
}

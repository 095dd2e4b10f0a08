// Members that no constructor sets: on the heap, on the stack, in a container.
// CHECK: verdict=bug kind=uninitialised-read line=@use
// CHECK-FIXED: verdict=safe
// BUGS: 3
// OPTIONS: --keep-going --check uninitialised-read
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace {

struct Job {
  explicit Job(int number) : number(number) {}
  int number;
#ifdef FIXED
  bool urgent = false;
#else
  bool urgent;
#endif
};

std::atomic<int> urgent_jobs;

void on_heap() {
  auto job = std::make_unique<Job>(1);
  if (job->urgent) ++urgent_jobs;  // @use
}

void on_stack() {
  Job job(2);
  std::thread([&] {
    if (job.urgent) ++urgent_jobs;  // @use
  }).join();
}

void in_container() {
  std::vector<Job> jobs;
  for (int i = 0; i < 3; ++i) jobs.emplace_back(i);
  for (const Job& job : jobs)
    if (job.urgent) ++urgent_jobs;  // @use
}

}  // namespace

int main() {
  std::thread threads[] = {std::thread(on_heap), std::thread(on_stack), std::thread(in_container)};
  for (std::thread& thread : threads) thread.join();
}

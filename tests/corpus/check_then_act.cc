// Two operations that are atomic, one after the other, are not.
// CHECK: verdict=bug kind=assertion|out-of-bounds|crash|heap-overflow|abort
// CHECK-FIXED: verdict=safe
#include <cassert>
#include <mutex>
#include <queue>
#include <thread>

class Jobs {
 public:
  bool empty() {
    std::lock_guard lock(mutex_);
    return jobs_.empty();
  }
  int pop() {
    std::lock_guard lock(mutex_);
    assert(!jobs_.empty());
    const int job = jobs_.front();
    jobs_.pop();
    return job;
  }
  bool try_pop(int& job) {
    std::lock_guard lock(mutex_);
    if (jobs_.empty()) return false;
    job = jobs_.front();
    jobs_.pop();
    return true;
  }
  void push(int job) { jobs_.push(job); }

 private:
  std::mutex mutex_;
  std::queue<int> jobs_;
};

int main() {
  Jobs jobs;
  jobs.push(1);
  auto work = [&] {
#ifdef FIXED
    int job;
    if (jobs.try_pop(job)) assert(job == 1);
#else
    if (!jobs.empty()) assert(jobs.pop() == 1);
#endif
  };
  std::thread a(work), b(work);
  a.join();
  b.join();
}

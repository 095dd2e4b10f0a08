// A thread pool as in many textbooks: W workers, J jobs; main submits them and joins the workers.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>
#ifndef W
#define W 2
#endif
#ifndef J
#define J 4
#endif
class Pool {
 public:
  explicit Pool(int n) {
    for (int i = 0; i < n; ++i) workers.emplace_back([this] { run(); });
  }
  ~Pool() {
    {
      std::lock_guard l(m);
      done = true;
    }
    cv.notify_all();
    for (auto& w : workers) w.join();
  }
  void submit(std::function<void()> f) {
    {
      std::lock_guard l(m);
      jobs.push_back(std::move(f));
    }
    cv.notify_one();
  }

 private:
  void run() {
    for (;;) {
      std::function<void()> f;
      {
        std::unique_lock l(m);
        cv.wait(l, [this] { return done || !jobs.empty(); });
        if (jobs.empty()) return;
        f = std::move(jobs.front());
        jobs.pop_front();
      }
      f();
    }
  }
  std::mutex m;
  std::condition_variable cv;
  std::deque<std::function<void()>> jobs;
  bool done = false;
  std::vector<std::thread> workers;
};
int main() {
  std::atomic<int> sum{0};
  {
    Pool p(W);
    for (int i = 0; i < J; ++i) p.submit([&sum] { sum++; });
  }
  assert(sum == J);
}

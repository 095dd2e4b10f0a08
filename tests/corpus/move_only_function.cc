// Jobs that own what they work on, wrapped by hand.
// CHECK: verdict=safe
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

class Job {
 public:
  template <class F>
  explicit Job(F f) : body_(std::make_unique<Body<F>>(std::move(f))) {}
  void operator()() { body_->run(); }

 private:
  struct Base {
    virtual ~Base() = default;
    virtual void run() = 0;
  };
  template <class F>
  struct Body : Base {
    explicit Body(F f) : f(std::move(f)) {}
    void run() override { f(); }
    F f;
  };
  std::unique_ptr<Base> body_;
};

int main() {
  int sum = 0;
  std::mutex mutex;
  std::vector<Job> jobs;
  for (char c = 1; c <= 2; ++c)
    jobs.emplace_back([&, c, value = std::make_unique<int>(c)] {
      std::lock_guard lock(mutex);
      sum += *value + c;
    });
  std::thread a(std::move(jobs[0])), b(std::move(jobs[1]));
  a.join();
  b.join();
  assert(sum == 6);
}

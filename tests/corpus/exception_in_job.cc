// Jobs may throw; the first error is kept, by whoever is first.
// CHECK: verdict=safe
#include <cassert>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

class Group {
 public:
  template <class F>
  void run(F f) {
    threads_.emplace_back([this, f] {
      try {
        f();
      } catch (...) {
        std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
      }
    });
  }
  void wait() {
    for (auto& thread : threads_) thread.join();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr error_;
  std::vector<std::thread> threads_;
};

int main() {
  Group group;
  group.run([] { throw std::logic_error("first"); });
  group.run([] { throw 5; });
  int caught = 0;
  try {
    group.wait();
  } catch (const std::logic_error&) {
    caught = 1;
  } catch (int number) {
    caught = number;
  }
  assert(caught == 1 || caught == 5);
}

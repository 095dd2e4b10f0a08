// The signal comes between the test of the flag and the wait: nobody waits yet.
// fix: set() changes set_ with the mutex held.
// says: signal ready.changed_ (nobody waits)
// says: before main began to wait (step 8): nobody waited then
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

class Event {
 public:
  void set() {
    set_ = true;
    changed_.notify_one();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    while (!set_) changed_.wait(lock);
  }

 private:
  std::atomic<bool> set_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
};

Event ready;

int main() {
  std::thread worker([] { ready.set(); });
  ready.wait();
  worker.join();
}

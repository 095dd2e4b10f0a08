// Names made by snprintf go into a table.
// CHECK: verdict=safe
#include <cassert>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <thread>

int main() {
  std::mutex mutex;
  std::map<std::string, double> table;
  auto add = [&](int id, double value) {
    char name[16];
    std::snprintf(name, sizeof name, "sensor-%02d", id);
    std::lock_guard lock(mutex);
    table[name] = value;
  };
  std::thread a(add, 1, 0.5), b(add, 2, 1.5);
  a.join();
  b.join();
  assert(table.size() == 2 && table["sensor-01"] == 0.5 && table["sensor-02"] == 1.5);
}

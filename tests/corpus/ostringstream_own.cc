// Every thread formats with a stream of its own.
// CHECK: verdict=safe
#include <cassert>
#include <iomanip>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

std::vector<std::string> lines;
std::mutex mutex;

void report(int id, double load) {
  std::ostringstream out;
  out << "cpu" << id << ": " << std::fixed << std::setprecision(1) << load << '%';
  std::lock_guard lock(mutex);
  lines.push_back(out.str());
}

int main() {
  std::thread a(report, 1, 12.34), b(report, 2, 99.9);
  a.join();
  b.join();
  const bool first = lines[0] == "cpu1: 12.3%" && lines[1] == "cpu2: 99.9%";
  const bool second = lines[1] == "cpu1: 12.3%" && lines[0] == "cpu2: 99.9%";
  assert(first || second);
}

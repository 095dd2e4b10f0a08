// Formatted tables with manipulators.
// CHECK: verdict=safe
#include <cassert>
#include <iomanip>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

std::string table;
std::mutex mutex;

void row(int number) {
  std::ostringstream out;
  out << std::setw(4) << std::setfill('0') << std::hex << number << '\n';
  std::lock_guard lock(mutex);
  table += out.str();
}

int main() {
  std::thread a(row, 255), b(row, 16);
  a.join();
  b.join();
  assert(table == "00ff\n0010\n" || table == "0010\n00ff\n");
}

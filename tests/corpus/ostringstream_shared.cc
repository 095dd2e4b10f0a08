// One stream for all, behind a mutex.
// CHECK: verdict=safe
#include <cassert>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

std::ostringstream out;
std::mutex mutex;

void report(int id) {
  std::lock_guard lock(mutex);
  out << "worker " << id << " done\n";
}

int main() {
  std::thread a(report, 1), b(report, 2);
  a.join();
  b.join();
  const std::string text = out.str();
  assert(text == "worker 1 done\nworker 2 done\n" || text == "worker 2 done\nworker 1 done\n");
}

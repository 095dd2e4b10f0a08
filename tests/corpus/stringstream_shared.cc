// Written by one thread, read by another, in turn.
// CHECK: verdict=safe
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

std::stringstream stream;
std::mutex mutex;
std::condition_variable written;
bool ready;

int main() {
  std::thread writer([] {
    std::lock_guard lock(mutex);
    stream << 12 << ' ' << "apples";
    ready = true;
    written.notify_one();
  });
  std::unique_lock lock(mutex);
  written.wait(lock, [] { return ready; });
  int count;
  std::string what;
  stream >> count >> what;
  assert(count == 12 && what == "apples");
  lock.unlock();
  writer.join();
}

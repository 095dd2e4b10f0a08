// A log in a std::string that outgrows its small buffer.
// CHECK: verdict=safe
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

std::string log_text;
std::mutex mutex;

void write(const std::string& line) {
  std::lock_guard lock(mutex);
  log_text += line + "\n";
}

int main() {
  std::thread a([] { write("thread a was here"); });
  std::thread b([] { write("thread b was here, too"); });
  a.join();
  b.join();
  assert(log_text.size() == 41);
  assert(log_text.find("a was") != std::string::npos);
  assert(log_text.substr(0, 7) == "thread ");
}

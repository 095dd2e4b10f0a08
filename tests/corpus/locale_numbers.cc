// Streams with locales of their own.
// CHECK: verdict=safe
#include <cassert>
#include <locale>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

std::string all;
std::mutex mutex;

void format(long number) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << number;
  std::lock_guard lock(mutex);
  all += out.str();
}

int main() {
  std::thread a(format, 1000), b(format, 7);
  a.join();
  b.join();
  assert(all == "10007" || all == "71000");
}

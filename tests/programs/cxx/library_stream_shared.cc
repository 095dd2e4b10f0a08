// Two threads write to one stream in turn. What libstdc++ does there are accesses: it is predicted.
// CHECK: verdict=bug kind=assertion line=@order
// CHECK-FIXED: verdict=safe
#include <cassert>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

std::stringstream stream;
std::string line;
std::mutex mutex;

int main() {
  auto write = [](int value) {
    std::lock_guard guard(mutex);
    stream << value << '\n';
  };
  std::thread a(write, 1), b(write, 2);
  a.join();
  b.join();
  std::getline(stream, line);
#ifdef FIXED
  assert(line == "1" || line == "2");
#else
  assert(line == "1");  // @order
#endif
}

// Views into one text, counted by two threads.
// CHECK: verdict=safe
#include <algorithm>
#include <atomic>
#include <cassert>
#include <string>
#include <string_view>
#include <thread>

int main() {
  const std::string text = "one,two,three,four";
  std::atomic<int> commas{0};
  auto count = [&](std::string_view part) { commas += std::count(part.begin(), part.end(), ','); };
  const std::string_view all = text;
  std::thread a(count, all.substr(0, 8)), b(count, all.substr(8));
  a.join();
  b.join();
  assert(commas == 3);
}

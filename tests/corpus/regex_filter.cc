// Lines are filtered by a regular expression that two threads use.
// CHECK: verdict=safe
#include <atomic>
#include <cassert>
#include <regex>
#include <string>
#include <thread>

const std::regex number("[0-9]+");
std::atomic<int> matches;

void filter(const std::string& line) {
  if (std::regex_match(line, number)) ++matches;
}

int main() {
  std::thread a(filter, "123"), b(filter, "abc");
  a.join();
  b.join();
  assert(matches == 1);
}

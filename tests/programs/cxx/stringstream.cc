// Streams and formatting, one of their own per thread: private, so there is next to nothing to interleave.
// CHECK: verdict=safe
// OUTCOMES: "1.50 x 2.25 y"
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>

std::string format(double value, const char* unit) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(2) << value << ' ' << unit;
  return out.str();
}

int main() {
  std::string theirs;
  std::thread other([&] { theirs = format(2.25, "y"); });
  const std::string mine = format(1.5, "x");
  other.join();
  std::cout << mine << ' ' << theirs;
}

// The standard streams are as they were when a run begins: formats, states, buffers, whether they go together with stdio's.
// CHECK: verdict=safe
// OUTCOMES: "255\n" "ff\n"
// OPTIONS: --races off
// EXPLORERS: all
#include <atomic>
#include <cassert>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>

static std::atomic<int> x;

int main() {
  assert(std::cout.good() && std::cout.precision() == 6 && std::cout.fill() == ' ' && std::cout.iword(0) == 0);
  assert(!(std::cerr.flags() & std::ios::showbase) && std::cin.tie() == &std::cout && !std::cin.eof());
  std::ostringstream text;
  auto* const buffer = std::clog.rdbuf(text.rdbuf());
  assert(buffer != text.rdbuf());
  std::string line;
  std::getline(std::cin, line);
  assert(std::cin.eof() && line.empty());
  assert(std::ios_base::sync_with_stdio(false));  // it has been true

  std::thread thread([] {
    if (x == 0) return;
    std::cout << std::hex;
    std::cerr.setf(std::ios::showbase);
  });
  x = 1;
  thread.join();
  std::cin.tie(nullptr);
  std::cout << 255 << '\n' << std::flush;
  std::cout.precision(3);
  std::cout.fill('x');
  std::cout.iword(0) = 7;
  std::cout.setstate(std::ios::failbit);
  return 0;
}

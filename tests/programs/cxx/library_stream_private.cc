// libstdc++ writes to a stream of the program inside its shared library: what it wrote is part of the thread's state.
// CHECK: verdict=bug kind=assertion line=@one
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
#include <atomic>
#include <cassert>
#include <sstream>
#include <thread>

std::ostringstream out, other;
std::atomic<int> choice, later;

int main() {
  std::thread a([] {
    out << choice.load();
    other.copyfmt(out);
    const int seen = later;
#ifdef FIXED
    assert(out.str() == "0" || out.str() == "1");
    assert(seen == 0 || seen == 1);
#else
    assert(!(seen == 1 && out.str() == "1"));  // @one
#endif
  });
  std::thread b([] {
    choice = 1;
    later = 1;
  });
  a.join();
  b.join();
}

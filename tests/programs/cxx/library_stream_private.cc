// What a thread has written to a stream is part of its state.
// CHECK: verdict=bug kind=assertion line=@one
// CHECK-FIXED: verdict=safe
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

// Statics are destroyed in the reverse order of their construction, and which of two threads comes first decides that.
// CHECK: verdict=bug kind=assertion line=@write
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
#include <cassert>
#include <thread>

struct Log {
  bool alive = true;
  void write() { assert(alive); }  // @write
  ~Log() { alive = false; }
};

Log& log() {
  static Log l;
  return l;
}

struct User {
#ifdef FIXED
  User() { log(); }
#endif
  ~User() { log().write(); }
};

int main() {
  std::thread a([] { log(); });
  std::thread b([] { static User user; });
  a.join();
  b.join();
}

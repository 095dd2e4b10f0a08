// The std::thread object is memory of the program: join and detach read and change it.
// CHECK: verdict=bug kind=race|assertion
// CHECK-FIXED: verdict=safe
// EXPLORERS: all
#include <cassert>
#include <system_error>
#include <thread>

std::thread thread;

int main() {
#ifdef FIXED
  thread = std::thread([] {});
  thread.join();
  assert(!thread.joinable());
  bool thrown = false;
  try {
    thread.join();
  } catch (const std::system_error&) {
    thrown = true;
  }
  assert(thrown);
  thread = std::thread([] {});
  thread.detach();
  assert(!thread.joinable());
#else
  thread = std::thread([] { assert(thread.get_id() == std::this_thread::get_id()); });
  thread.join();
#endif
}

// std::string appended to by two threads: short strings live inside the object, so updates get lost.
// CHECK: verdict=bug kind=assertion|race
// CHECK-FIXED: verdict=safe
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

std::mutex mutex;
std::string text;

void append(char letter) {
#ifdef FIXED
  std::lock_guard lock(mutex);
#endif
  text += letter;
}

int main() {
  std::thread other(append, 'a');
  append('b');
  other.join();
  assert(text.size() == 2);
}

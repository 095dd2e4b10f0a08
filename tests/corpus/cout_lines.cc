// Threads print lines in turn.
// CHECK: verdict=safe
#include <iostream>
#include <mutex>
#include <thread>

std::mutex mutex;

void say(int id) {
  std::lock_guard lock(mutex);
  std::cout << "hello from " << id << std::endl;
}

int main() {
  std::thread a(say, 1), b(say, 2);
  a.join();
  b.join();
}

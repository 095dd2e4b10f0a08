// Numbers to and from texts without streams.
// CHECK: verdict=safe
#include <cassert>
#include <charconv>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

std::vector<std::string> texts;
std::mutex mutex;

void add(int number) {
  char buffer[16];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
  std::lock_guard lock(mutex);
  texts.emplace_back(buffer, end);
}

int main() {
  std::thread a(add, 123), b(add, -7);
  a.join();
  b.join();
  int sum = 0;
  for (auto& text : texts) {
    int value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    sum += value;
  }
  assert(sum == 116);
}

// A mailbox of std::any.
// CHECK: verdict=safe
#include <any>
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

std::vector<std::any> mailbox;
std::mutex mutex;

int main() {
  std::thread a([] {
    std::lock_guard lock(mutex);
    mailbox.emplace_back(42);
  });
  std::thread b([] {
    std::lock_guard lock(mutex);
    mailbox.emplace_back(std::string("forty-two, and longer than the small buffer"));
  });
  a.join();
  b.join();
  int numbers = 0, texts = 0;
  for (auto& message : mailbox) {
    if (std::any_cast<int>(&message)) ++numbers;
    if (auto* text = std::any_cast<std::string>(&message)) texts += text->size() > 20;
  }
  assert(numbers == 1 && texts == 1);
}

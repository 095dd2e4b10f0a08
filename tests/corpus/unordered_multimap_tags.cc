// Tags of documents.
// CHECK: verdict=safe
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

std::unordered_multimap<std::string, int> tags;
std::mutex mutex;

void tag(const char* name, int document) {
  std::lock_guard lock(mutex);
  tags.emplace(name, document);
}

int main() {
  std::thread a(tag, "red", 1), b(tag, "red", 2), c(tag, "blue", 3);
  a.join();
  b.join();
  c.join();
  assert(tags.count("red") == 2 && tags.find("blue")->second == 3);
}

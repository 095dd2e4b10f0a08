// Paths are taken apart by threads that own them.
// CHECK: verdict=safe
#include <cassert>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

std::vector<std::string> names;
std::mutex mutex;

void add(const char* text) {
  const std::filesystem::path path(text);
  const std::string name = path.filename().string();
  std::lock_guard lock(mutex);
  names.push_back(name);
}

int main() {
  std::thread a(add, "/tmp/x.txt"), b(add, "y/z.cc");
  a.join();
  b.join();
  assert(names.size() == 2 && names[0].size() + names[1].size() == 9);
}

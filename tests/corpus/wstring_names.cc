// Wide strings in a vector.
// CHECK: verdict=safe
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

std::vector<std::wstring> names;
std::mutex mutex;

int main() {
  auto add = [](std::wstring name) {
    std::lock_guard lock(mutex);
    names.push_back(name + L"!");
  };
  std::thread a(add, L"a"), b(add, L"a longer wide name");
  a.join();
  b.join();
  assert(names[0].size() + names[1].size() == 21);
}

// Handlers by std::type_index.
// CHECK: verdict=safe
#include <any>
#include <cassert>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <typeindex>
#include <unordered_map>

std::unordered_map<std::type_index, std::function<int(const std::any&)>> handlers;
std::mutex mutex;

template <class T, class F>
void handle(F f) {
  std::lock_guard lock(mutex);
  handlers[typeid(T)] = [f](const std::any& value) { return f(std::any_cast<const T&>(value)); };
}

int main() {
  std::thread a([] { handle<int>([](int x) { return x + 1; }); });
  std::thread b([] { handle<std::string>([](const std::string& s) { return static_cast<int>(s.size()); }); });
  a.join();
  b.join();
  std::any number = 4, text = std::string("four");
  assert(handlers.at(number.type())(number) == 5 && handlers.at(text.type())(text) == 4);
}

// A value through a promise.
// CHECK: verdict=safe
#include <cassert>
#include <future>
#include <string>
#include <thread>

int main() {
  std::promise<std::string> promise;
  std::future<std::string> future = promise.get_future();
  std::thread producer([&] { promise.set_value("a text that is longer than the small buffer"); });
  assert(future.get().size() == 43);
  producer.join();
}

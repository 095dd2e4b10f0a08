// A configuration is replaced while readers hold on to the old one.
// CHECK: verdict=safe
#include <cassert>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

struct Config {
  std::string name;
  int version;
};

std::shared_ptr<const Config> current = std::make_shared<Config>(Config{"first", 1});
std::mutex mutex;

std::shared_ptr<const Config> get() {
  std::lock_guard lock(mutex);
  return current;
}

int main() {
  std::thread writer([] {
    auto next = std::make_shared<Config>(Config{"second", 2});
    std::lock_guard lock(mutex);
    current = next;
  });
  std::thread reader([] {
    auto config = get();
    assert(config->version == (config->name == "first" ? 1 : 2));
  });
  writer.join();
  reader.join();
  assert(get()->version == 2);
}

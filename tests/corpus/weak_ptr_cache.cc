// A cache of weak pointers: an object lives as long as somebody uses it.
// CHECK: verdict=safe
#include <cassert>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

struct Texture {
  explicit Texture(int id) : id(id) {}
  int id;
};

std::map<int, std::weak_ptr<Texture>> cache;
std::mutex mutex;

std::shared_ptr<Texture> load(int id) {
  std::lock_guard lock(mutex);
  auto& entry = cache[id];
  if (auto texture = entry.lock()) return texture;
  auto texture = std::make_shared<Texture>(id);
  entry = texture;
  return texture;
}

int main() {
  auto use = [] {
    auto texture = load(7);
    assert(texture->id == 7);
  };
  std::thread a(use), b(use);
  a.join();
  b.join();
  assert(cache[7].expired());
}

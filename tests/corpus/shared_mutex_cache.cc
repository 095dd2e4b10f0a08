// A cache behind a shared_mutex: looked up under a shared lock, filled under an exclusive one.
// CHECK: verdict=safe
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <unordered_map>

class Cache {
 public:
  std::string get(int key) {
    {
      std::shared_lock lock(mutex_);
      if (auto found = values_.find(key); found != values_.end()) return found->second;
    }
    std::unique_lock lock(mutex_);
    auto [at, fresh] = values_.try_emplace(key, "value " + std::to_string(key));
    made_ += fresh;
    return at->second;
  }
  int made() const { return made_; }

 private:
  std::shared_mutex mutex_;
  std::unordered_map<int, std::string> values_;
  int made_ = 0;
};

int main() {
  Cache cache;
  std::thread other([&] { assert(cache.get(7) == "value 7"); });
  assert(cache.get(7) == "value 7");
  other.join();
  assert(cache.made() == 1);
}

// Entries of a cache expire.
// CHECK: verdict=safe
#include <cassert>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>

class Cache {
  using Clock = std::chrono::steady_clock;

 public:
  void put(const std::string& key, int value) {
    std::lock_guard lock(mutex_);
    entries_[key] = {value, Clock::now() + std::chrono::seconds(1)};
  }
  std::optional<int> get(const std::string& key) {
    std::lock_guard lock(mutex_);
    auto found = entries_.find(key);
    if (found == entries_.end()) return std::nullopt;
    if (found->second.second < Clock::now()) {
      entries_.erase(found);
      return std::nullopt;
    }
    return found->second.first;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::pair<int, Clock::time_point>> entries_;
};

int main() {
  Cache cache;
  std::thread writer([&] { cache.put("k", 5); });
  if (auto value = cache.get("k")) assert(*value == 5);
  writer.join();
}

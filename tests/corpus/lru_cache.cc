// An LRU cache of a list and an unordered_map.
// CHECK: verdict=safe
#include <cassert>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>

template <class Key, class Value>
class LruCache {
 public:
  explicit LruCache(size_t capacity) : capacity_(capacity) {}
  void put(const Key& key, Value value) {
    std::lock_guard lock(mutex_);
    auto found = index_.find(key);
    if (found != index_.end()) {
      found->second->second = std::move(value);
      entries_.splice(entries_.begin(), entries_, found->second);
      return;
    }
    entries_.emplace_front(key, std::move(value));
    index_[key] = entries_.begin();
    if (entries_.size() > capacity_) {
      index_.erase(entries_.back().first);
      entries_.pop_back();
    }
  }
  std::optional<Value> get(const Key& key) {
    std::lock_guard lock(mutex_);
    auto found = index_.find(key);
    if (found == index_.end()) return std::nullopt;
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->second;
  }
  size_t size() {
    std::lock_guard lock(mutex_);
    return entries_.size();
  }

 private:
  std::mutex mutex_;
  size_t capacity_;
  std::list<std::pair<Key, Value>> entries_;
  std::unordered_map<Key, typename std::list<std::pair<Key, Value>>::iterator> index_;
};

int main() {
  LruCache<std::string, int> cache(2);
  std::thread a([&] {
    cache.put("one", 1);
    cache.put("two", 2);
  });
  std::thread b([&] {
    cache.put("three", 3);
    if (auto value = cache.get("one")) assert(*value == 1);
  });
  a.join();
  b.join();
  assert(cache.size() == 2);
}

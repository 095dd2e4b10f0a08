// A counter that is changed under a lock for reading.
// says: data race
// says: cache.hits
// says: both hold cache.mutex, but only for reading
// fix: make hits atomic, or take the lock for writing
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
struct Cache {
  std::shared_mutex mutex;
  std::map<std::string, int> entries;
  int hits = 0;
  int get(const std::string& key) {
    std::shared_lock lock(mutex);
    auto it = entries.find(key);
    if (it == entries.end()) return -1;
    ++hits;
    return it->second;
  }
  void put(const std::string& key, int value) {
    std::unique_lock lock(mutex);
    entries[key] = value;
  }
};
int main() {
  Cache cache;
  cache.put("a", 1);
  std::thread one([&] { cache.get("a"); });
  std::thread two([&] { cache.get("a"); });
  std::thread three([&] { cache.put("b", 2); });
  one.join();
  two.join();
  three.join();
}

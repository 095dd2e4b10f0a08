// The lock guards the map, not what it holds: hits of one entry are counted without it, and one is lost.
// fix: count while the lock is held, or make the counts atomic.
// says: read stats.entries_["requests"].counts[1] = 0
// says: wrote stats.entries_["requests"].counts[1]
// says: without having seen what
// says: a local variable (Stats) of main at
#include <array>
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

class Stats {
 public:
  void hit(const std::string& name, int bucket) {
    Entry* entry;
    {
      std::lock_guard guard(mutex_);
      entry = &entries_[name];
    }
    entry->counts[bucket]++;
  }

  long total(const std::string& name) {
    std::lock_guard guard(mutex_);
    long sum = 0;
    for (long count : entries_[name].counts) sum += count;
    return sum;
  }

 private:
  struct Entry {
    std::array<long, 3> counts{};
  };
  std::mutex mutex_;
  std::unordered_map<std::string, Entry> entries_;
};

int main() {
  Stats stats;
  std::thread other([&] { stats.hit("requests", 1); });
  stats.hit("requests", 1);
  other.join();
  assert(stats.total("requests") == 2);
}

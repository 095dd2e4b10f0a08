// Words are counted in a std::map.
// CHECK: verdict=safe
#include <cassert>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class WordCount {
 public:
  void add(const std::string& word) {
    std::lock_guard lock(mutex_);
    ++counts_[word];
  }
  int of(const std::string& word) const {
    std::lock_guard lock(mutex_);
    auto found = counts_.find(word);
    return found == counts_.end() ? 0 : found->second;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, int> counts_;
};

int main() {
  WordCount count;
  std::thread a([&] {
    for (const char* word : {"to", "be"}) count.add(word);
  });
  std::thread b([&] {
    for (const char* word : {"or", "be"}) count.add(word);
  });
  a.join();
  b.join();
  assert(count.of("be") == 2 && count.of("to") == 1 && count.of("nothing") == 0);
}

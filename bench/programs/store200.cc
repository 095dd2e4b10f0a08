// An ordinary C++ program of about 200 events: two threads fill a shared map and a log under a mutex, main looks on.
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Store {
  void put(int key, const std::string& value) {
    std::lock_guard<std::mutex> guard(mutex);
    values[key] = value;
    log.push_back(key);
  }
  std::mutex mutex;
  std::map<int, std::string> values;
  std::vector<int> log;
};

}  // namespace

int main() {
  auto store = std::make_shared<Store>();
  std::thread first([store] {
    for (int i = 0; i < 2; ++i) store->put(i, "first");
  });
  std::thread second([store] {
    for (int i = 2; i < 4; ++i) store->put(i, "second");
  });
  first.join();
  second.join();
  return store->log.size() == 4 ? 0 : 1;
}

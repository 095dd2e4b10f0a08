// A configuration that is parsed once and read by several threads through shared_ptr<const>.
// CHECK: verdict=safe
#include <cassert>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

using Config = std::map<std::string, std::string>;

class ConfigStore {
 public:
  std::shared_ptr<const Config> get() {
    std::lock_guard lock(mutex_);
    if (!config_) config_ = std::make_shared<const Config>(parse("name=plait\ncolor=blue\n"));
    return config_;
  }

 private:
  static Config parse(const std::string& text) {
    Config result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const size_t at = line.find('=');
      result[line.substr(0, at)] = line.substr(at + 1);
    }
    return result;
  }
  std::mutex mutex_;
  std::shared_ptr<const Config> config_;
};

int main() {
  ConfigStore store;
  std::thread other([&] { assert(store.get()->at("color") == "blue"); });
  assert(store.get()->at("name") == "plait");
  other.join();
}

// Meyers' singleton.
// CHECK: verdict=safe
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

class Settings {
 public:
  static Settings& instance() {
    static Settings settings;
    return settings;
  }
  void set(const std::string& name) {
    std::lock_guard lock(mutex_);
    name_ = name;
  }
  std::string name() {
    std::lock_guard lock(mutex_);
    return name_;
  }

 private:
  Settings() : name_("default") {}
  std::mutex mutex_;
  std::string name_;
};

int main() {
  std::thread a([] { Settings::instance().set("new"); });
  const std::string seen = Settings::instance().name();
  assert(seen == "default" || seen == "new");
  a.join();
  assert(Settings::instance().name() == "new");
}

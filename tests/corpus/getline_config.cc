// Two threads parse configuration files of their own, line by line.
// CHECK: verdict=safe
#include <cassert>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

std::map<std::string, std::string> settings;
std::mutex mutex;

void parse(const std::string& text) {
  std::istringstream in(text);
  std::string line;
  while (std::getline(in, line)) {
    const size_t equals = line.find('=');
    std::lock_guard lock(mutex);
    settings[line.substr(0, equals)] = line.substr(equals + 1);
  }
}

int main() {
  std::thread a(parse, "host=here\nport=80"), b(parse, "user=me");
  a.join();
  b.join();
  assert(settings.size() == 3 && settings["port"] == "80");
}

// Each thread has a regular expression of its own.
// CHECK: verdict=safe
// MERGED
#include <cassert>
#include <mutex>
#include <regex>
#include <string>
#include <thread>
#include <vector>
int main() {
  std::vector<std::string> hits;
  std::mutex m;
  auto scan = [&](std::string text) {
    std::regex re(R"((\w+)@(\w+)\.org)");
    for (std::sregex_iterator it(text.begin(), text.end(), re), end; it != end; ++it) {
      std::lock_guard g(m);
      hits.push_back((*it)[1]);
    }
  };
  std::thread a(scan, "mail bob@example.org now"), b(scan, "no mail here");
  a.join();
  b.join();
  assert(hits.size() == 1 && hits[0] == "bob");
  assert(std::regex_replace(std::string("a-b"), std::regex("-"), "+") == "a+b");
}

// Routes are regular expressions in a table that is filled while requests come in.
// CHECK: verdict=safe
// Not in the corpus: something in std::regex is not seen, so results cannot be predicted and what conflicts is run.
// MEMORY-MODELS: (what conflicts is run in every order, which takes long there)
#include <cassert>
#include <mutex>
#include <regex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

class Router {
 public:
  void add(const std::string& pattern, int handler) {
    std::unique_lock lock(mutex_);
    routes_.emplace_back(std::regex(pattern), handler);
  }
  int find(const std::string& path) const {
    std::shared_lock lock(mutex_);
    for (const auto& [pattern, handler] : routes_)
      if (std::regex_match(path, pattern)) return handler;
    return -1;
  }

 private:
  mutable std::shared_mutex mutex_;
  std::vector<std::pair<std::regex, int>> routes_;
};

int main() {
  Router router;
  router.add("/a/[0-9]+", 1);
  std::thread adder([&] { router.add("/b", 2); });
  assert(router.find("/a/17") == 1);
  const int b = router.find("/b");
  assert(b == 2 || b == -1);
  adder.join();
}

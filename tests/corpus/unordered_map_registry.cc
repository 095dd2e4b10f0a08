// Sessions in a std::unordered_map, which rehashes while threads add to it.
// CHECK: verdict=safe
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

std::unordered_map<int, std::string> sessions;
std::mutex mutex;

void login(int id, const char* name) {
  std::lock_guard lock(mutex);
  sessions.emplace(id, name);
}

int main() {
  std::thread a([] {
    login(1, "ann");
    login(2, "bob");
  });
  std::thread b([] { login(3, "carla, whose name does not fit into the object"); });
  a.join();
  b.join();
  assert(sessions.size() == 3 && sessions.at(2) == "bob" && sessions.at(3).size() == 46);
}

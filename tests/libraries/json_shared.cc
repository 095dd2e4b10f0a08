// nlohmann::json behind a mutex: two threads put members in, and the text has both.
#include <cassert>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

int main() {
  nlohmann::json state;
  std::mutex mutex;
  std::string seen;
  std::thread other([&] {
    std::lock_guard<std::mutex> guard(mutex);
    state["a"] = {1, 2};
  });
  {
    std::lock_guard<std::mutex> guard(mutex);
    state["b"] = "text";
    seen = state.dump();
  }
  other.join();
  assert(nlohmann::json::parse(state.dump()) == state);
  assert(state.dump() == R"({"a":[1,2],"b":"text"})");
#ifdef WRONG  // holds in some schedules only
  assert(seen == R"({"b":"text"})");
#endif
}

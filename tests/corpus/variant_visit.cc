// A state machine as a variant, advanced by two threads.
// CHECK: verdict=safe
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <variant>

struct Idle {};
struct Running {
  int steps;
};
struct Done {
  std::string result;
};

std::variant<Idle, Running, Done> state;
std::mutex mutex;

struct Next {
  void operator()(Idle) const { state = Running{1}; }
  void operator()(Running r) const { state = Done{"after " + std::to_string(r.steps)}; }
  void operator()(const Done&) const {}
};

int main() {
  auto advance = [] {
    std::lock_guard lock(mutex);
    auto copy = state;
    std::visit(Next{}, copy);
  };
  std::thread a(advance), b(advance);
  a.join();
  b.join();
  assert(std::get<Done>(state).result == "after 1");
}

// A state machine that threads drive with atomic wait and notify.
// CHECK: verdict=safe
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

enum class State { Idle, Loading, Ready };

int main() {
  std::atomic<State> state{State::Idle};
  std::string text;
  std::thread loader([&] {
    state.wait(State::Idle);
    text = "loaded";
    state = State::Ready;
    state.notify_all();
  });
  state = State::Loading;
  state.notify_all();
  state.wait(State::Loading);
  assert(state == State::Ready && text == "loaded");
  loader.join();
}

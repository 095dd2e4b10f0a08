// std::jthread and std::stop_token: the destructor asks the thread to stop and joins it.
// CHECK: verdict=safe
// OUTCOMES: "0" "1"
#include <cstdio>
#include <thread>

int main() {
  bool asked = false;
  {
    std::jthread thread([&](std::stop_token token) { asked = token.stop_requested(); });
  }
  std::printf("%d", asked);
}

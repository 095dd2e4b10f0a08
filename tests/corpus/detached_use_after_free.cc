// A detached thread uses an object that its owner has deleted.
// CHECK: verdict=bug kind=use-after-free|race
// CHECK-FIXED: verdict=safe
#include <atomic>
#include <memory>
#include <thread>

struct Connection {
  std::atomic<int> bytes{0};
};

int main() {
#ifdef FIXED
  auto connection = std::make_shared<Connection>();
  std::thread([connection] { ++connection->bytes; }).detach();
#else
  auto connection = std::make_unique<Connection>();
  std::thread([raw = connection.get()] { ++raw->bytes; }).detach();
#endif
  connection.reset();
}

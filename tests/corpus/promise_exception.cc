// A promise is broken, and another one carries an exception.
// CHECK: verdict=safe
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>

int main() {
  std::promise<int> broken, failing;
  auto a = broken.get_future(), b = failing.get_future();
  std::thread worker([broken = std::move(broken), failing = std::move(failing)]() mutable {
    failing.set_exception(std::make_exception_ptr(std::invalid_argument("no")));
  });
  int errors = 0;
  try {
    a.get();
  } catch (const std::future_error& error) {
    errors += error.code() == std::future_errc::broken_promise;
  }
  try {
    b.get();
  } catch (const std::invalid_argument& error) {
    errors += std::string(error.what()) == "no";
  }
  worker.join();
  assert(errors == 2);
}

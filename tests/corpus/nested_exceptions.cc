// Nested exceptions, collected from two threads.
// CHECK: verdict=safe
// MERGED
#include <cassert>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
void open(const std::string& n) {
  try {
    throw std::out_of_range("index 7");
  } catch (...) {
    std::throw_with_nested(std::runtime_error("cannot open " + n));
  }
}
std::string chain(const std::exception& e) {
  std::string s = e.what();
  try {
    std::rethrow_if_nested(e);
  } catch (const std::exception& n) {
    s += ": " + chain(n);
  }
  return s;
}
int main() {
  std::vector<std::exception_ptr> errs;
  std::mutex m;
  auto job = [&](const char* n) {
    try {
      open(n);
    } catch (...) {
      std::lock_guard g(m);
      errs.push_back(std::current_exception());
    }
  };
  std::thread a(job, "a.txt"), b(job, "b.txt");
  a.join();
  b.join();
  assert(errs.size() == 2);
  for (auto& e : errs) try {
      std::rethrow_exception(e);
    } catch (const std::exception& x) {
      assert(chain(x).find("index 7") != std::string::npos);
    }
}

// A thread writes to a local of a function that may have returned.
// CHECK: verdict=bug kind=use-after-scope line=@write
// CHECK-FIXED: verdict=safe
// OPTIONS: --races off
#include <thread>

namespace {

std::thread thread;

void start() {
  int local;
  thread = std::thread([&] { local = 42; });  // @write
#ifdef FIXED
  thread.join();
#endif
}

}  // namespace

int main() {
  start();
#ifndef FIXED
  thread.join();
#endif
}

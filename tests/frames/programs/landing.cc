// A value that only the handler of an exception uses, while the function that throws performs an operation.
#include <atomic>
#include <cstdio>
#include <thread>

static std::atomic<int> x, z;

__attribute__((noinline)) int fails() {
  z.load();
  if (z.load() == 0) throw 1;
  return 2;
}

int main() {
  int result = -1;
  std::thread writer([] {
    z.store(0);
    for (int value = 1; value < 4; ++value) x.store(value);
  });
  const int value = x.load();
  try {
    result = fails();
  } catch (int thrown) {
    result = 10 * thrown + value;
  }
  writer.join();
  std::printf("%d\n", result);
}

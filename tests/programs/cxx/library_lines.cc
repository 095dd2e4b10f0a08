// A use after free inside std::map's own functions is shown at the user's line that called them.
// CHECK: verdict=bug kind=use-after-free line=@use
// CHECK-FIXED: verdict=safe
// FLAGS: -std=c++20
#include <map>
#include <thread>

int main() {
  auto* table = new std::map<int, int>{{1, 10}, {2, 20}, {3, 30}};
  std::size_t found = 0;
  std::thread reader([&] {
    found = table->count(3);  // @use
  });
#ifdef FIXED
  reader.join();
  delete table;
#else
  delete table;
  reader.join();
#endif
  return found <= 1 ? 0 : 1;
}

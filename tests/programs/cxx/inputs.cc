// plait::input of several types, threads of C++, containers, virtual functions, a function object.
// CHECK: verdict=bug kind=assertion line=@fails
// CHECK-FIXED: verdict=safe
// INPUTS: explored
#include <plait.h>

#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

enum class Colour : unsigned char { Red, Green, Blue };

struct Shape {
  virtual ~Shape() = default;
  virtual int area(int scale) const = 0;
};
struct Square : Shape {
  int side;
  explicit Square(int s) : side(s) {}
  int area(int scale) const override { return side * scale; }
};

int main() {
  const int side = plait::input_range(1, 10, "side");
  const bool big = plait::input<bool>("big");
  std::vector<int> areas;
  std::mutex mutex;
  const Square square(side);
  std::thread worker([&] {
    const Shape& shape = square;
    const auto colour = plait::input<Colour>("colour");
    plait_assume(colour <= Colour::Blue);
    const std::lock_guard lock(mutex);
    areas.push_back(shape.area(big ? 100 : 1) + static_cast<int>(colour));
  });
  {
    const std::lock_guard lock(mutex);
    for (int area : areas) {
#ifdef FIXED
      assert(area <= 1002);
#else
      assert(area != 702);  // @fails
#endif
    }
  }
  worker.join();
}

// Objects of several classes, made by two threads and owned by a vector.
// CHECK: verdict=safe
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual int area() const = 0;
};
struct Square : Shape {
  explicit Square(int side) : side(side) {}
  int area() const override { return side * side; }
  int side;
};
struct Strip : Shape {
  explicit Strip(int length) : length(length) {}
  int area() const override { return length; }
  int length;
};

std::vector<std::unique_ptr<Shape>> shapes;
std::mutex mutex;

int main() {
  auto add = [](std::unique_ptr<Shape> shape) {
    std::lock_guard lock(mutex);
    shapes.push_back(std::move(shape));
  };
  std::thread a([&] { add(std::make_unique<Square>(3)); });
  std::thread b([&] { add(std::make_unique<Strip>(4)); });
  a.join();
  b.join();
  assert(shapes[0]->area() + shapes[1]->area() == 13);
}

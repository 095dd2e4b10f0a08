// Workers return tuples.
// CHECK: verdict=safe
#include <cassert>
#include <future>
#include <string>
#include <tuple>

std::tuple<int, char, std::string> work(int n) { return {n, 'x', std::to_string(n)}; }

int main() {
  auto a = std::async(std::launch::async, work, 1), b = std::async(std::launch::async, work, 22);
  auto [number, letter, text] = a.get();
  assert(number == 1 && letter == 'x' && text == "1");
  assert(std::get<2>(b.get()) == "22");
}

// The C++ library, exceptions, virtual calls, statics, inline and template variables in two units.
#include "library.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

struct Base {
  virtual ~Base() = default;
  virtual int value() const { return number; }
  int number = 3;
};
struct Left : virtual Base {
  int left = 4;
};
struct Right : virtual Base {
  int right = 5;
};
struct Both : Left, Right {
  int value() const override { return number + left + right; }
};

std::map<std::string, std::vector<int>> table;
std::unique_ptr<Base> object = std::make_unique<Both>();
std::shared_ptr<std::string> shared = std::make_shared<std::string>("shared text, long enough for the heap");
thread_local int per_thread = 6;

static int once() {
  static std::string text = "initialised once";
  return static_cast<int>(text.size());
}
static int thrower(int n) {
  if (n > 2) throw std::runtime_error("too large: " + std::to_string(n));
  return n;
}

int main() {
  for (int i = 0; i < 20; i++) table["key" + std::to_string(i % 7)].push_back(i * i);
  for (auto& [key, values] : table) {
    std::sort(values.rbegin(), values.rend());
    printf("%s:%d ", key.c_str(), values[0]);
  }
  printf("\n%d %d %d\n", object->value(), once(), once());
  auto copy = shared;
  auto weak = std::weak_ptr(copy);
  shared.reset();
  printf("%s %ld\n", copy->c_str(), weak.use_count());
  for (int i = 0; i < 5; i++) try {
      printf("%d ", thrower(i));
    } catch (const std::exception& error) {
      printf("%s ", error.what());
    }
  std::function<int(int)> add = [&copy](int n) { return n + static_cast<int>(copy->size()); };
  std::ostringstream stream;
  stream << add(3) << ' ' << per_thread++ << ' ' << per_thread;
  std::unique_ptr<char, decltype(&free)> buffer(strdup("freed by pointer"), &free);
  printf("%s %s\n", stream.str().c_str(), buffer.get());
  inline_counter++;
  Holder<int>::count += 2;
  bump();
  printf("%d %d %d\n", inline_counter, Holder<int>::count, Holder<long>::count);
  Both* both = dynamic_cast<Both*>(object.get());
  Both assigned = *both;
  assigned.right = 50;
  *both = assigned;
  printf("%d %d\n", object->value(), large[69999]);
}

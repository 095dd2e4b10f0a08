// The standard library moves memory without a value around: empty optionals, other alternatives, small strings, spare capacity.
// CHECK: verdict=safe
#include <algorithm>
#include <any>
#include <array>
#include <atomic>
#include <cassert>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <queue>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>

namespace {

struct Partly {
  Partly() : a(1) {}
  char a;
  int b;
};
struct Padded {
  short a;
  char b;
};
struct Base {
  virtual ~Base() = default;
  int value;
};
struct Derived : Base {
  Derived() { value = 3; }
  int other;
};

int value_or_four(std::optional<int> value) { return value ? *value : 4; }

void vocabulary() {
  std::optional<int> first, second;
  first = second;
  std::optional<int> third(std::move(first));
  assert(!third && value_or_four(third) == 4);
  third = 5;
  assert(third == 5);
  std::variant<int, std::string, double> a = 3, b;
  b = a;
  a = std::string("hello");
  std::swap(a, b);
  assert(a.index() == 0 && std::get<1>(b) == "hello");
  std::any any = 5;
  const auto other = any;
  assert(std::any_cast<int>(other) == 5);
  std::function<int(int)> add = [](int x) { return x + 1; }, none, copy = none;
  std::swap(add, none);
  assert(none(1) == 2 && !add && !copy);
  std::atomic<Padded> atomic;
  Padded padded;
  padded.a = 1;
  padded.b = 2;
  atomic.store(padded);
  Padded wanted = atomic.load();
  atomic.compare_exchange_strong(wanted, padded);
  assert(atomic.load().b == 2);
}

void containers() {
  std::string small = "short", large = "a much longer string that needs the heap";
  std::swap(small, large);
  small += "x";
  const std::string moved = std::move(small);
  assert(moved.size() == 41 && large == "short");
  std::vector<Partly> parts(3);
  parts.push_back(Partly());
  parts.resize(10);
  const auto copy = parts;
  assert(copy[9].a == 1);
  std::vector<bool> flags(70);
  flags.push_back(true);
  assert(flags[70] && !flags[3]);
  std::deque<int> deque;
  for (int i = 0; i < 100; ++i) deque.push_front(i);
  std::map<std::string, int> map{{"a", 1}, {"b", 2}};
  std::unordered_map<int, std::string> hashed;
  for (int i = 0; i < 30; ++i) hashed[i] = std::to_string(i);
  std::list<int> list{3, 1, 2};
  list.sort();
  std::priority_queue<int> queue;
  for (int i : {3, 9, 4}) queue.push(i);
  assert(deque.back() == 0 && map.find("b")->second == 2 && hashed[23] == "23" && list.front() == 1 && queue.top() == 9);
  std::array<int, 4> array;
  array.fill(2);
  assert(array[3] == 2);
}

void objects() {
  const std::unique_ptr<Base> base = std::make_unique<Derived>();
  assert(base->value == 3);
  char* room = new char[64];
  auto* placed = new (room) std::string("placed");
  assert(*placed == "placed");
  placed->~basic_string();
  delete[] room;
  const std::unique_ptr<int> zero(new int());
  const std::unique_ptr<int[]> zeros(new int[4]());
  assert(*zero == 0 && zeros[2] == 0);
  const auto shared = std::make_shared<int>(4);
  const std::weak_ptr<int> weak = shared;
  assert(*weak.lock() == 4);
}

void thrower(int depth) {
  int local[4];
  local[depth % 4] = depth;
  const std::string text("a long string that is on the heap, not in place");
  if (depth == 0) throw std::runtime_error(text);
  thrower(depth - 1);
  assert(local[depth % 4] == depth);
}

void streams() {
  std::stringstream stream;
  stream << 12 << ' ' << 3.5 << " word";
  int number;
  double real;
  std::string word;
  stream >> number >> real >> word;
  assert(number == 12 && real == 3.5 && word == "word" && stream.str()[0] == '1');
  std::istringstream lines("one\ntwo\n");
  std::string line;
  line.reserve(200);
  int count = 0;
  while (std::getline(lines, line)) count += line[0] == 't';
  assert(count == 1);
}

}  // namespace

int main() {
  vocabulary();
  containers();
  objects();
  try {
    thrower(5);
  } catch (const std::exception& error) {
    assert(error.what()[0] == 'a');
  }
  streams();
  std::thread(containers).join();
  std::thread(vocabulary).join();
}

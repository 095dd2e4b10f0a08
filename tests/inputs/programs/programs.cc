// C++ programs with inputs; as programs.c.
#include <plait.h>

#include <array>
#include <atomic>
#include <bit>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <queue>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#define PROGRAM(name) static void name()
static int in(int low, int high, const char* name) { return static_cast<int>(plait::input_range(low, high, name)); }

PROGRAM(captured_by_value) {  // x = 0, 5, 1311768467463790320; classes 2
  const auto x = plait::input<std::uint64_t>("x");
  int found = 0;
  std::thread t([x, &found] { found = x == 0x123456789abcdef0; });
  t.join();
  plait_assert(!found);
}
PROGRAM(captured_by_reference) {  // x = 0..9; classes 2
  int x = in(0, 9, "x"), found = 0;
  std::thread t([&] { found = x == 7; });
  t.join();
  plait_assert(!found);
}
static void compare(long a, short b, int* found) { *found = a + b == 7; }
PROGRAM(arguments_of_std_thread) {  // x = 0..5; y = 0..5; classes 2
  int found = 0;
  std::thread t(compare, long{in(0, 5, "x")}, static_cast<short>(in(0, 5, "y")), &found);
  t.join();
  plait_assert(!found);
}
PROGRAM(jthread_with_a_pair) {  // x = 0..5; y = 0..5; classes 4
  std::pair<int, long> p{in(0, 5, "x"), in(0, 5, "y")};
  std::jthread t([p] { plait_assert(p.first != 3 || p.second != 4); });
}
PROGRAM(thrown) {  // x = 0..9; classes 3
  int x = in(0, 9, "x");
  try {
    if (x > 4) throw x;
  } catch (int caught) {
    plait_assert(caught != 6);
  }
}
PROGRAM(thrown_with_text) {  // x = 0..9; classes 10
  int x = in(0, 9, "x");
  try {
    if (x == 4) throw std::runtime_error("four");
  } catch (const std::exception& e) {
    plait_assert(std::strcmp(e.what(), "four") != 0);
  }
}
PROGRAM(uncaught) {  // x = 0..3; classes 2
  if (in(0, 3, "x") == 2) throw 1;
}
PROGRAM(length_of_a_string) {  // n = 0..4; classes 5
  std::string s(static_cast<size_t>(in(0, 4, "n")), 'a');
  plait_assert(s.size() != 3);
}
PROGRAM(letters_of_a_string) {  // c = 97..101; classes 12
  std::string s = "ab";
  s += static_cast<char>(in('a', 'e', "c"));
  plait_assert(s != "abd");
}
PROGRAM(size_of_a_vector) {  // n = 0..4; classes 10
  std::vector<int> v(static_cast<size_t>(in(0, 4, "n")));
  for (size_t i = 0; i < v.size(); ++i) v[i] = static_cast<int>(i);
  int sum = 0;
  for (int one : v) sum += one;
  plait_assert(sum != 3);
}
PROGRAM(elements_of_a_vector) {  // x = 0..9; y = 0..9; classes 8
  std::vector<int> v;
  v.push_back(in(0, 9, "x"));
  v.push_back(in(0, 9, "y"));
  v.push_back(4);
  plait_assert(v[0] + v[1] + v[2] != 17);
}
PROGRAM(at_of_a_vector) {  // i = 0..5; classes 12
  std::vector<int> v(3);
  try {
    v.at(static_cast<size_t>(in(0, 5, "i"))) = 1;
  } catch (const std::out_of_range&) {
    plait_assert(false);
  }
}
PROGRAM(optional) {  // x = 0..9; classes 4
  int x = in(0, 9, "x");
  std::optional<int> o;
  if (x > 2) o = x * 2;
  plait_assert(o.value_or(0) != 14);
}
PROGRAM(variant) {  // x = 0..9; classes 6
  int x = in(0, 9, "x");
  std::variant<int, long> v;
  if (x % 2)
    v = x;
  else
    v = long{x};
  plait_assert(!std::holds_alternative<long>(v) || std::get<long>(v) != 6);
}
PROGRAM(pair_returned) {  // x = 0..5; classes 6
  auto make = [](int x) { return std::pair<int, int>(x, x + 1); };
  plait_assert(make(in(0, 5, "x")).second != 4);
}
PROGRAM(array_returned) {  // x = 0..5; classes 6
  auto make = [](int x) { return std::array<int, 6>{1, x, 2, 3, 4, 5}; };
  plait_assert(make(in(0, 5, "x"))[1] != 4);
}
PROGRAM(virtual_calls) {  // x = 0..5; classes 4
  struct Base {
    virtual int of(int x) { return x; }
    virtual ~Base() = default;
  };
  struct Derived : Base {
    int of(int x) override { return x * 2; }
  };
  int x = in(0, 5, "x");
  std::unique_ptr<Base> b = x > 2 ? std::make_unique<Derived>() : std::make_unique<Base>();
  plait_assert(b->of(x) != 8);
}
PROGRAM(std_function) {  // x = 0..5; classes 3
  int x = in(0, 5, "x");
  std::function<int(int)> f = [x](int y) { return x + y; };
  plait_assert(f(3) != 7);
}
PROGRAM(bit_casts) {  // nondet_uint = 0, 3; classes 3
  struct two {
    std::uint16_t low, high;
  };
  extern unsigned nondet() __asm__("__VERIFIER_nondet_uint");
  const two t = std::bit_cast<two>(nondet());
  plait_assert(t.low != 3 || t.high != 0);
}
PROGRAM(atomics) {  // x = 0..5; classes 8
  std::atomic<long> a{in(0, 5, "x")};
  std::thread t([&] { a += 2; });
  a.fetch_sub(1);
  t.join();
  plait_assert(a != 5);
}
PROGRAM(atomic_struct) {  // x = 0..5; classes 6
  struct pair {
    int a, b;
  };
  std::atomic<pair> p{pair{1, 2}};
  int x = in(0, 5, "x");
  std::thread t([&] { p.store(pair{x, x}); });
  const pair seen = p.load();
  t.join();
  plait_assert(seen.a != 4);
}
PROGRAM(queue_between_threads) {  // x = 0..5; y = 0..5; classes 8
  std::mutex mutex;
  std::condition_variable ready;
  std::queue<int> queue;
  int sum = 0;
  std::thread t([&] {
    for (int i = 0; i < 2; ++i) {
      std::unique_lock lock(mutex);
      ready.wait(lock, [&] { return !queue.empty(); });
      sum = sum * 10 + queue.front();
      queue.pop();
    }
  });
  for (const char* name : {"x", "y"}) {
    std::lock_guard lock(mutex);
    queue.push(in(0, 5, name));
    ready.notify_one();
  }
  t.join();
  plait_assert(sum != 42);
}
PROGRAM(futures) {  // x = 0..5; classes 8
  const int x = in(0, 5, "x");
  auto f = std::async(std::launch::async, [x] { return x * 3; });
  plait_assert(f.get() != 12);
}
PROGRAM(once) {  // x = 0..5; classes 3
  int x = in(0, 5, "x"), y = 0;
  std::once_flag flag;
  std::thread t([&] { std::call_once(flag, [&] { y = x; }); });
  std::call_once(flag, [&] { y = x + 1; });
  t.join();
  plait_assert(y != 6);
}
PROGRAM(shared_pointers) {  // x = 0..5; classes 3
  auto p = std::make_shared<int>(in(0, 5, "x"));
  std::thread t([p] { plait_assert(*p != 3); });
  t.join();
}
PROGRAM(ranges) {  // x = -3..3; y = 250..260; classes 6
  const signed char x = plait::input_range<signed char>(-3, 3, "x");
  const unsigned y = plait::input_range(250u, 260u, "y");
  plait_assert(x != -2 || y != 256);
}
PROGRAM(bools) {  // b = 0, 1; c = 0, 1; classes 4
  const bool b = in(0, 1, "b"), c = in(0, 1, "c");
  plait_assert(!(b ^ c) || b);
}

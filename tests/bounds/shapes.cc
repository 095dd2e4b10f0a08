// As shapes.c, for what only C++ has.
#include <algorithm>
#include <array>
#include <atomic>
#include <coroutine>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

std::atomic<int> published;
volatile int sink;

[[gnu::noinline]] void put(int* a, int i) { a[i] = 1; }
[[gnu::noinline]] int get(const int* a, int i) { return a[i]; }

struct Holder {
  int items[4] = {};
  Holder() = default;
  [[gnu::noinline]] Holder(const Holder& other) { std::copy(other.items, other.items + 4, items); }
  [[gnu::noinline]] ~Holder() { sink = items[3]; }
  [[gnu::noinline]] void set(int i) { items[i] = 1; }
};

void method(int i) {
  Holder a;
  a.set(i);
}
void temporary(int i) { Holder().set(i); }
[[gnu::noinline]] Holder made() { return {}; }
void returned(int i) {
  Holder a = made();
  a.set(i);
}
[[gnu::noinline]] void take(Holder a, int i) { a.set(i); }
void by_value(int i) { take(Holder(), i); }
void span(int i) {
  int a[4] = {};
  std::span<int> view(a);
  put(view.data(), i);
}
void standard_array(int i) {
  std::array<int, 4> a = {};
  put(a.data(), i);
}
void far_array_member(int i) {
  struct {
    int items[4];
  } a = {};
  a.items[i] = 1;
  sink = a.items[0];
}
void captured(int i) {
  int a[4] = {};
  std::function<void(int)> set = [&a](int at) { a[at] = 1; };
  set(i);
}
template <class T>
inline T shared_table[4] = {};
void far_inline_variable(int i) { shared_table<int>[i] = 1; }
void far_static_of_function(int i) {
  static int a[4];
  a[i] = 1;
}
void far_constexpr(int i) {
  static constexpr int a[4] = {1, 2, 3, 4};
  sink = a[i];
}
void far_thread_local(int i) {
  static thread_local int a[4];
  a[i] = 1;
  sink = a[0];
}

// Another thread reaches into this one's frame.
void other_thread(int i) {
  int a[4] = {};
  std::thread([&a, i] { a[i] = 1; }).join();
}
void other_thread_reads(int i) {
  int a[4] = {};
  int sum = 0;
  std::thread first([&] { sum += get(a, i); });
  first.join();
  sink = sum;
}
void future_of(int i) {
  int a[4] = {};
  std::async(std::launch::async, [&a, i] { put(a, i); }).get();
}

// Frames that exceptions skip; then others use the same stack.
[[gnu::noinline]] void reuse(int depth) {
  int a[9] = {9, 8, 7, 6, 5, 4, 3, 2, 1};
  std::sort(a, a + 9, [](const int& x, const int& y) { return x < y; });
  std::qsort(a, 9, sizeof *a,
             [](const void* x, const void* y) { return *static_cast<const int*>(x) - *static_cast<const int*>(y); });
  std::map<int, std::string> map = {{1, "one"}, {2, "two and a text that needs a block of its own"}};
  char text[64];
  std::snprintf(text, sizeof text, "%d %s", get(a, 3), map[2].c_str());
  sink = static_cast<int>(std::to_string(depth).size() + std::strlen(text));
  if (depth) reuse(depth - 1);
}
[[gnu::noinline]] void thrower(int depth) {
  int a[5];
  put(a, depth % 4);
  if (depth == 0) throw std::runtime_error("enough");
  thrower(depth - 1);
  put(a, 0);
}
[[gnu::noinline]] void thrower_with_clean_up(int depth) {
  Holder a;
  int b[3];
  put(b, 2);
  a.set(depth % 4);
  if (depth == 0) throw std::runtime_error("enough");
  thrower_with_clean_up(depth - 1);
}
void after_exception(int i) {
  int a[4] = {};
  try {
    thrower(5);
  } catch (const std::exception&) {
    reuse(3);
  }
  reuse(4);
  put(a, i);
}
void after_clean_ups(int i) {
  int a[4] = {};
  try {
    struct Cleaner {
      ~Cleaner() { reuse(2); }
    } cleaner;
    thrower_with_clean_up(5);
  } catch (...) {
  }
  reuse(4);
  put(a, i);
}
void after_rethrow(int i) {
  int a[4] = {};
  for (int turn = 0; turn < 2; ++turn) try {
      int b[6];
      put(b, 5);
      try {
        int c[7];
        put(c, 6);
        thrower(3);
      } catch (...) {
        int d[8];
        put(d, 7);
        throw;
      }
    } catch (const std::exception& problem) {
      sink = problem.what()[0];
      reuse(2);
    }
  put(a, i);
}
void after_exception_of_library(int i) {
  int a[4] = {};
  try {
    int b[3];
    put(b, 2);
    sink = std::stoi("x") + std::vector<int>().at(7);
  } catch (const std::logic_error&) {
  }
  std::call_once(*std::make_unique<std::once_flag>(), [] { reuse(1); });
  try {
    int data[2] = {2, 1};
    std::qsort(data, 2, sizeof *data, [](const void*, const void*) -> int { thrower(2), std::abort(); });
  } catch (...) {
  }
  reuse(4);
  put(a, i);
}
void after_exception_of_thread(int i) {
  int a[4] = {};
  auto later = std::async(std::launch::async, [] { thrower(4); });
  try {
    later.get();
  } catch (...) {
    reuse(2);
  }
  put(a, i);
}

struct Task {
  struct promise_type {
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::abort(); }
  };
  std::coroutine_handle<promise_type> handle;
};
Task counts(int* result) {
  int a[4] = {};
  put(a, 3);
  co_await std::suspend_always();
  for (int i = 0; i < 4; ++i) put(a, i), *result += a[i];
}
void coroutine(int i) {
  int a[4] = {}, result = 0;
  Task task = counts(&result);
  task.handle.resume();
  reuse(1);
  std::thread([&] { task.handle.resume(); }).join();
  if (result != 4) std::abort();
  task.handle.destroy();
  put(a, i);
}

void heap_new(int i) {
  int* a = new int[4];
  a[i] = 1;
  delete[] a;
}
void heap_unique(int i) {
  auto a = std::make_unique<int[]>(4);
  put(a.get(), i);
}
void heap_aligned_new(int i) {
  struct alignas(64) Line {
    int items[16];
  };
  Line* a = new Line[1];
  put(a->items, i > 3 ? 16 : i);
  delete[] a;
}
void heap_vector(int i) {
  std::vector<int> a(4);
  put(a.data(), i);
}

using Shape = void (*)(int);
#define NAMED(name) {#name, name}
const std::pair<const char*, Shape> shapes[] = {NAMED(method),
                                                NAMED(temporary),
                                                NAMED(returned),
                                                NAMED(by_value),
                                                NAMED(span),
                                                NAMED(standard_array),
                                                NAMED(far_array_member),
                                                NAMED(captured),
                                                NAMED(far_inline_variable),
                                                NAMED(far_static_of_function),
                                                NAMED(far_constexpr),
                                                NAMED(far_thread_local),
                                                NAMED(other_thread),
                                                NAMED(other_thread_reads),
                                                NAMED(future_of),
                                                NAMED(after_exception),
                                                NAMED(after_clean_ups),
                                                NAMED(after_rethrow),
                                                NAMED(after_exception_of_library),
                                                NAMED(after_exception_of_thread),
                                                NAMED(coroutine),
                                                NAMED(heap_new),
                                                NAMED(heap_unique),
                                                NAMED(heap_aligned_new),
                                                NAMED(heap_vector)};

}  // namespace

int main(int count, char** words) {
  if (count == 1) {
    for (const auto& [name, shape] : shapes) std::puts(name);
    return 0;
  }
  const int wanted = std::atoi(words[2]);
  std::thread thread([=] { published = wanted; });
  const int index = published;
  for (const auto& [name, shape] : shapes)
    if (std::strcmp(words[1], name) == 0) shape(index);
  thread.join();
}

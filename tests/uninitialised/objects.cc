// Objects without a value in C++: as shapes.h says.
#include <algorithm>
#include <any>
#include <array>
#include <atomic>
#include <coroutine>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

namespace {

volatile int sink;
std::atomic<int> flag;
__attribute__((noinline)) void look(const void* memory) { asm volatile("" : : "r"(memory)); }

struct Pair {
  int first, second;
};
struct Half {
  int first = 1, second;
  Half() {}
};
struct Holes {
  char letter;
  double number;
  bool end;
};
struct Base {
  long number;
  char letter;
  virtual ~Base() {}
};
struct Derived : Base {
  char other;
  int last;
};

void decide(int value) {
  if (value == 77) sink = 1;
}

void new_int(bool set) {
  int* p = new int;
  if (set) *p = 1;
  if (*p == 7) sink = 1;
  delete p;
}
void new_array(bool set) {
  std::unique_ptr<int[]> p(new int[6]);
  for (int i = 0; i < 5 + set; ++i) p[i] = i;
  if (p[5] == 7) sink = 1;
}
void new_object(bool set) {
  auto p = std::unique_ptr<Half>(new Half);
  if (set) p->second = 1;
  if (p->first == 7) sink = 1;
  if (p->second == 7) sink = 1;
}
void new_derived(bool set) {
  std::unique_ptr<Derived> p(new Derived);
  p->number = 1, p->letter = 2, p->other = 3;
  if (set) p->last = 1;
  if (p->number == 7 || p->letter == 7 || p->other == 7) sink = 1;
  if (p->last == 7) sink = 1;
}
void for_overwrite(bool set) {
  auto p = std::make_unique_for_overwrite<int[]>(3);
  if (set) p[1] = 1;
  if (p[1] == 7) sink = 1;
}
void shared_object(bool set) {
  auto p = std::make_shared<Half>();
  auto q = p;
  if (set) q->second = 1;
  if (p->second == 7) sink = 1;
}
void in_vector(bool set) {
  std::vector<Half> v(3);
  if (set) v[1].second = 1;
  std::vector<Half> w = v;
  w.resize(20);
  if (w[1].second == 7) sink = 1;
}
void in_map(bool set) {
  std::map<int, Half> m;
  m[1].first = 2;
  if (set) m[1].second = 1;
  if (m[1].second == 7) sink = 1;
}
void in_list(bool set) {
  std::list<Half> l;
  l.emplace_back();
  if (set) l.front().second = 1;
  if (l.front().second == 7) sink = 1;
}
void in_deque(bool set) {
  std::deque<Half> d;
  d.emplace_back();
  if (set) d.front().second = 1;
  if (d.front().second == 7) sink = 1;
}
void in_optional(bool set) {
  std::optional<Half> o;
  o.emplace();
  if (set) o->second = 1;
  auto copy = o;
  if (copy->second == 7) sink = 1;
}
void in_array(bool set) {
  std::array<int, 4> a;
  look(&a);
  a[0] = a[1] = a[2] = 1;
  if (set) a[3] = 1;
  if (a[3] == 7) sink = 1;
}
void in_tuple(bool set) {
  Half h;
  if (set) h.second = 1;
  std::tuple<char, Half> t('a', h);
  if (std::get<1>(t).second == 7) sink = 1;
}
void in_closure(bool set) {
  Half h;
  if (set) h.second = 1;
  std::function<int()> f = [h] { return h.second == 7 ? 1 : 2; };
  sink = f();
}
void by_reference(bool set) {
  int x;
  auto give = [&x](bool now) {
    if (now) x = 1;
  };
  look(&x);
  give(set);
  if (x == 7) sink = 1;
}
void as_argument(bool set) {
  int x;
  if (set) x = 1;
  decide(x);
}
void placed(bool set) {
  alignas(Half) unsigned char room[sizeof(Half)];
  auto* p = new (room) Half;
  look(p);
  if (set) p->second = 1;
  if (p->second == 7) sink = 1;
}
void local_object(bool set) {
  Half h;
  look(&h);
  if (set) h.second = 1;
  if (h.second == 7) sink = 1;
}
void thrown(bool set) {
  try {
    Half h;
    if (set) h.second = 1;
    throw h;
  } catch (const Half& h) {
    if (h.first == 7) sink = 1;
    if (h.second == 7) sink = 1;
  }
}
void from_future(bool set) {
  std::promise<Half> promise;
  Half h;
  if (set) h.second = 1;
  promise.set_value(h);
  if (promise.get_future().get().second == 7) sink = 1;
}
void from_thread(bool set) {
  Half h;
  std::thread t([&] {
    if (set) h.second = 1;
  });
  t.join();
  if (h.second == 7) sink = 1;
}
void sorted(bool set) {
  std::vector<Half> v(3);
  v[0].second = 2, v[1].second = 1;
  if (set) v[2].second = 3;
  std::sort(v.begin(), v.end(), [](const Half& a, const Half& b) { return a.second < b.second; });
  sink = v[0].second;
}

void fine_strings(bool set) {
  std::string a, b = "abc", c(set ? 3 : 40, 'x');
  a = b + c;
  b = std::move(a);
  a.swap(c);
  a.resize(50);
  a.reserve(200);
  a.append("end").insert(0, "begin").erase(2, 3);
  std::string d = a.substr(1, 5), e(d);
  if (a == b || d < c || e.find('q') == 3 || a.compare(d) == 0) sink = 1;
  std::swap(d, e);
  if (std::hash<std::string>()(d) == 7) sink = 1;
}
void fine_optional(bool set) {
  std::optional<Holes> o, p;
  if (set) o = Holes{'a', 1, true};
  p = o;
  std::swap(o, p);
  auto q = std::move(p);
  if (q && q->number == 7) sink = 1;
  std::optional<std::string> s;
  if (set) s = "text";
  auto t = s;
  if (t && t->size() == 7) sink = 1;
}
void fine_variant(bool set) {
  std::variant<char, double, std::string> v = 'a';
  if (set) v = 2.0;
  auto w = v;
  v = "text";
  v.swap(w);
  if (v.index() == 7 || w == v) sink = 1;
}
void fine_any(bool set) {
  std::any a = Holes{'a', 1, set}, b = a;
  if (std::any_cast<Holes>(b).end && std::any_cast<Holes&>(a).letter == 7) sink = 1;
}
void fine_functions(bool set) {
  Holes h{'a', 2, set};
  std::function<bool(int)> f = [h, set](int i) { return h.end == set && i == 7; }, g = f, empty;
  std::swap(f, empty);
  f = std::move(g);
  if (f(set)) sink = 1;
  if (empty) sink = 2;
}
void fine_closures(bool set) {
  char letter = 'a';
  long number = 3;
  bool end = set;
  std::thread t([letter, number, end] { sink = end && letter == 'b' && number == 7; });
  auto f = std::async(std::launch::async, [letter, end] { return end ? letter : 'b'; });
  t.join();
  if (f.get() == 'c') sink = 1;
}
void fine_containers(bool set) {
  std::vector<Holes> v;
  v.reserve(9);
  v.push_back({'a', 1, set});
  v.insert(v.begin(), 12, v[0]);
  std::vector<bool> bits(70, set);
  bits[5] = true;
  std::map<std::string, Holes> m{{"a", v[0]}};
  m["b"] = v[1];
  std::set<std::pair<char, int>> s{{'a', 1}, {'a', 2}};
  std::unordered_map<int, std::string> u{{1, "x"}};
  u[set] += "y";
  std::deque<char> d(30, 'x');
  d.push_front('a');
  if (v.back().letter == 7 || bits[6] || m["b"].end || s.count({'a', 3}) || u[1] == "z" || d[3] == 'q') sink = 1;
}
void fine_streams(bool set) {
  std::ostringstream out;
  out << "a" << 12 << ' ' << set << 2.5;
  std::istringstream in(out.str());
  std::string word;
  int number;
  in >> word >> number;
  if (word == "x" || number == 7) sink = 1;
}
void fine_atomics(bool set) {
  std::atomic<int> a;
  std::atomic<Pair> p(Pair{1, set});
  std::atomic<bool> b{};
  if (set) a = 1;
  Pair now = p.load();
  if (a == 7 || now.second == 7 || b.exchange(true)) sink = 1;
  if (p.compare_exchange_strong(now, Pair{2, 2})) sink = 2;
}
void fine_exceptions(bool set) {
  try {
    std::string text = "what";
    if (set) throw std::runtime_error(text + "!");
    throw Holes{'a', 1, set};
  } catch (const std::exception& e) {
    if (std::strlen(e.what()) == 9) sink = 1;
  } catch (const Holes& h) {
    if (h.letter == 7) sink = 1;
  }
}
void fine_arrays(bool set) {
  std::array<Holes, 3> a{}, b;
  a[1].end = set;
  b = a;
  if (b[1].end && b[2].letter == 7) sink = 1;
  int numbers[4]{};
  if (numbers[set] == 7) sink = 1;
  auto* zeroed = new Pair[3]();
  if (zeroed[set].second == 7) sink = 1;
  delete[] zeroed;
}
void fine_derived(bool set) {
  Derived a;
  a.number = 1, a.letter = 'a', a.other = 'b', a.last = set;
  Derived b = a;
  Base& c = b;
  c = a;
  if (b.last == 7 || b.other == 'q' || c.letter == 'q') sink = 1;
}
struct Numbers {
  struct promise_type {
    int value;
    Numbers get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int v) {
      value = v;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
};
Numbers count(int from) {
  for (int i = from; i < from + 2; ++i) co_yield i;
}
void fine_coroutine(bool set) {
  Numbers numbers = count(set);
  numbers.handle.resume();
  while (!numbers.handle.done()) {
    if (numbers.handle.promise().value == 7) sink = 1;
    numbers.handle.resume();
  }
  numbers.handle.destroy();
}

using Shape = void(bool);
const struct {
  const char* name;
  Shape* shape;
} shapes[] = {
#define SHAPE(name) {#name, name}
    SHAPE(new_int),       SHAPE(new_array),       SHAPE(new_object),    SHAPE(new_derived),     SHAPE(for_overwrite),
    SHAPE(shared_object), SHAPE(in_vector),       SHAPE(in_map),        SHAPE(in_list),         SHAPE(in_deque),
    SHAPE(in_optional),   SHAPE(in_array),        SHAPE(in_tuple),      SHAPE(in_closure),      SHAPE(by_reference),
    SHAPE(as_argument),   SHAPE(placed),          SHAPE(local_object),  SHAPE(thrown),          SHAPE(from_future),
    SHAPE(from_thread),   SHAPE(sorted),          SHAPE(fine_strings),  SHAPE(fine_optional),   SHAPE(fine_variant),
    SHAPE(fine_any),      SHAPE(fine_functions),  SHAPE(fine_closures), SHAPE(fine_containers), SHAPE(fine_streams),
    SHAPE(fine_atomics),  SHAPE(fine_exceptions), SHAPE(fine_arrays),   SHAPE(fine_derived),    SHAPE(fine_coroutine)};

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    for (const auto& [name, shape] : shapes) std::puts(name);
    return 0;
  }
  Shape* chosen = nullptr;
  for (const auto& [name, shape] : shapes)
    if (std::strcmp(name, words[1]) == 0) chosen = shape;
  const bool set = words[2][0] == '1';
  std::thread work([=] {
    sink = flag.load();
    chosen(set);
  });
  flag.fetch_or(1);
  work.join();
}

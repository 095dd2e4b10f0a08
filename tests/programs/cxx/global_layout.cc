// Globals of all sorts keep their sizes, places and values with red zones around them.
// CHECK-FIXED: verdict=safe
// CHECK: verdict=bug kind=out-of-bounds line=@copy
#include <cassert>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>

struct Text {
  int length;
  char letters[];
};
Text hello = {5, {'h', 'e', 'l', 'l', 'o'}};
inline int shared_table[3] = {1, 2, 3};
template <class T>
struct Of {
  static T values[3];
};
template <class T>
T Of<T>::values[3] = {4, 5, 6};
alignas(64) char line[5] = "line";
struct Empty {
} nothing;
extern "C" {
int strong[2] = {8, 9};
extern int other_name[2] __attribute__((alias("strong")));
__attribute__((weak)) int weak[2] = {1, 1};
}
static char large[100000];
static std::string word = "word";
static int* pointers[2] = {&strong[1], &shared_table[2]};
static int* behind = &strong[2];  // one past the end is a fine address
union Both {
  char bytes[3];
  short number;
} both = {{1, 2, 3}};

static void work() {
  static int locals[3] = {1, 1, 1};
  locals[2] += other_name[1];
  std::memset(large, 1, sizeof large);
#ifndef FIXED
  const volatile unsigned length = 7;
  std::memcpy(line, "longer", length);  // @copy
#else
  std::memcpy(line, "LINE", 5);
#endif
  assert(locals[2] == 10 && large[sizeof large - 1] == 1);
}

int main() {
  assert(sizeof shared_table == 12 && sizeof line == 5 && std::strcmp(line, "line") == 0);
  assert(reinterpret_cast<std::uintptr_t>(line) % 64 == 0);
  assert(std::memcmp(hello.letters, "hello", 5) == 0);
  assert(Of<int>::values[2] == 6 && Of<double>::values[0] == 4.0);
  assert(other_name[0] == strong[0] && weak[1] == 1 && word == "word");
  assert(*pointers[0] == 9 && *pointers[1] == 3);
  int sum = 0;
  for (int* p = strong; p != behind; ++p) sum += *p;
  const Both copy = both;
  assert(sum == 17 && copy.bytes[2] == 3);
  std::thread thread(work);
  thread.join();
  (void)nothing;
}

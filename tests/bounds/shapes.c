// Arrays of four ints in all sorts of memory, accessed at an index that another thread has written. `shapes` lists the
// shapes; `shapes NAME INDEX` does one. A name that begins with "far_" finds indices that lie far outside, too.
#include <alloca.h>
#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_int published;
static volatile int sink;
static int around_first[8], plain[4], around_last[8];
static const int fixed[4] = {1, 2, 3, 4};
static _Thread_local int own[4];
_Thread_local int open_own[4];
__attribute__((section("my_section"))) int apart[4];
struct Eight {
  int items[8];
};
struct Pair {
  int front, items[4];
};

static void far_local_write(int i) {
  int a[4] = {0};
  a[i] = 1;
  sink = a[0];
}
static void far_local_read(int i) {
  int a[4] = {1, 2, 3, 4};
  sink = a[i];
}
static void far_local_struct(int i) {
  struct Pair s = {0};
  (&s.front)[i + (i > 0)] = 1;
  sink = s.front;
}
static void far_local_in_loop(int i) {
  for (int turn = 0; turn < 2; ++turn) {
    int a[4] = {turn};
    a[i] += 1;
    sink = a[0];
  }
}
static void far_matrix(int i) {
  int a[2][2] = {{0}};
  a[i / 2][i % 2] = 1;
  sink = a[0][0];
}
static void far_variable_length(int i) {
  int length = 4 + 0 * i;
  int a[length];
  a[0] = 0;
  a[i] = 1;
  sink = a[0];
}
static void far_atomic(int i) {
  atomic_int a[4] = {0};
  atomic_fetch_add(&a[i], 1);
  sink = a[0];
}
static void far_copy_to(int i) {
  char a[16];
  memcpy(a + (i < 0 ? i : 0), "0123456789abcdefghi", (size_t)(i < 0 ? 1 : i > 100 ? 19 : 4 * i + 4));
  sink = a[0];
}
static void far_copy_from(int i) {
  char a[16] = {0};
  static char b[8192];
  memcpy(b, a + (i < 0 ? i : 0), (size_t)(i < 0 ? 1 : 4 * i + 4));
  sink = b[0];
}
static void far_fill(int i) {
  char a[16];
  memset(a + (i < 0 ? i : 0), 1, (size_t)(i < 0 ? 1 : 4 * i + 4));
  sink = a[0];
}
static void far_global(int i) {
  plain[i] = 1;
  sink = around_first[0] + around_last[0];
}
static void far_static(int i) {
  static int a[4];
  a[i] = 1;
}
static void far_constant(int i) { sink = fixed[i]; }
static void far_thread_local(int i) {
  own[i] = 1;
  sink = own[0];
}
static void far_open_thread_local(int i) { open_own[i] = 1; }
static void far_section(int i) { apart[i] = 1; }
__attribute__((noinline)) static void take(struct Eight s, int i) {
  s.items[i * 2] = 1;
  sink = s.items[0];
}
static void far_parameter(int i) {
  struct Eight s = {{0}};
  take(s, i);
}
#pragma clang diagnostic ignored "-Warray-bounds"
static void far_constant_index(int i) {
  int a[4] = {0};
  if (i < 0) a[-1] = 1;
  if (i > 3) a[4] = 1;
  sink = a[0];
}

__attribute__((noinline)) static void put(int* a, int i) { a[i] = 1; }
__attribute__((noinline)) static int get(const int* a, int i) { return a[i]; }
static void passed_write(int i) {
  int a[4];
  put(a, i);
}
static void passed_read(int i) {
  int a[4] = {0};
  sink = get(a, i);
}
static void passed_scalar(int i) {
  int one = 0, two = 0;
  put(&one, i > 3 ? 1 : i < 0 ? -1 : 0);
  put(&two, 0);
  sink = one + two;
}
static void passed_struct(int i) {
  struct Pair s = {0};
  put(&s.front, i + (i > 0));
}
static void passed_aligned(int i) {
  _Alignas(128) int a[4];
  put(a, i);
  if ((size_t)a % 128) abort();
}
static void passed_variable_length(int i) {
  for (int turn = 0; turn < 3; ++turn) {
    int length = 4 + 0 * i;
    int a[length], b[length];
    put(b, 3);
    put(a, i);
  }
}
static void passed_alloca(int i) {
  for (int turn = 0; turn < 3; ++turn) put(alloca(16), i);
}
static void passed_in_loop(int i) {
  for (int turn = 0; turn < 3; ++turn) {
    int a[4];
    put(a, turn < 2 ? turn : i);
  }
}
static void passed_blocks(int i) {
  {
    int a[4];
    put(a, 2);
  }
  {
    char c[40];
    put((int*)c, 9);
  }
  {
    int a[4];
    put(a, i);
  }
}
static int depths(int depth, int i, int* above) {
  int a[4] = {depth};
  if (depth) return depths(depth - 1, i, a) + a[0];
  put(above, i);
  return a[0];
}
static void passed_recursion(int i) {
  int a[4] = {0};
  sink = depths(5, i, a);
}
__attribute__((noinline)) static void take_passed(struct Eight s, int i) { put(s.items, i * 2 + (i == 3)); }
static void passed_parameter(int i) {
  struct Eight s = {{0}};
  take_passed(s, i);
}
static void walked(int i) {
  int a[4] = {0};
  for (int* p = i < 0 ? a - 1 : a; p <= a + (i < 0 ? 0 : i); ++p) *p = 1;
  sink = a[0];
}
static void chosen(int i) {
  int a[4] = {0}, b[4] = {0};
  int* p = sink ? a : b;
  p[i] = 1;
}
static void stored(int i) {
  static int* volatile somewhere;
  int a[4];
  somewhere = a;
  somewhere[i] = 1;
}

// Library functions: a buffer of 16 bytes, a text of 4 * i + 3 letters and its end; -1: one letter in front of it.
static char* room(char* a, int i) { return i < 0 ? a - 1 : a; }
static const char* letters(int i) {
  return i < 0 ? "x" : i == 0 ? "abc" : i == 3 ? "0123456789abcde" : "0123456789abcdefghi";
}
static void library_strcpy(int i) {
  char a[16];
  strcpy(room(a, i), letters(i));
}
static void library_strcat(int i) {
  char a[16] = "";
  strcat(i < 0 ? room(strcpy(a, ""), i) : a, letters(i));
}
static void library_strncpy(int i) {
  char a[16];
  strncpy(room(a, i), "abc", (size_t)(i < 0 ? 1 : 4 * i + 4));
}
static void library_memcpy(int i) {
  char a[16];
  void* (*volatile copy)(void*, const void*, size_t) = memcpy;
  copy(room(a, i), "0123456789abcdefghi", (size_t)(i < 0 ? 1 : 4 * i + 4));
}
static void library_sprintf(int i) {
  char a[16];
  sprintf(room(a, i), "%s", letters(i));
}
static void library_snprintf(int i) {
  char a[16];
  snprintf(room(a, i), 32, "%s", letters(i));
}
static void library_sscanf(int i) {
  char a[16];
  sscanf(letters(i), "%s", room(a, i));
}
static void library_strlen(int i) {
  char a[16] = "0123456789abcde";
  if (i > 3) a[15] = 'f';
  sink = (int)strlen(room(a, i));
}

// Frames that are not left in an orderly way; then others use the same stack in all ways.
static jmp_buf back;
static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
static int sum(int count, ...) {
  va_list list;
  va_start(list, count);
  int total = 0;
  while (count-- > 0) total += va_arg(list, int);
  va_end(list);
  return total;
}
__attribute__((noinline)) static void reuse(int depth) {
  int a[9] = {9, 8, 7, 6, 5, 4, 3, 2, 1};
  char text[64];
  qsort(a, 9, sizeof *a, compare);
  snprintf(text, sizeof text, "%d %d", get(a, 3), sum(9, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  take_passed((struct Eight){{0}}, 3);
  sink = (int)strlen(text);
  if (depth) reuse(depth - 1);
}
__attribute__((noinline)) static void deep(int depth) {
  int a[4], length = 3 + depth, b[length];
  put(a, 3);
  put(b, length - 1);
  if (depth == 0) longjmp(back, 1);
  deep(depth - 1);
  put(b, 0);
}
static void after_longjmp(int i) {
  int a[4];
  if (setjmp(back) == 0) {
    char buffer[24];
    put((int*)buffer, 5);
    deep(4);
  }
  reuse(3);
  put(a, i);
}
static void after_longjmp_again(int i) {
  after_longjmp(3);
  reuse(5);
  int a[4];
  put(a, i);
}
static pthread_key_t key;
static void at_end(void* unused) {
  (void)unused;
  reuse(4);
}
static void clean(void* index) {
  int a[4];
  reuse(3);
  put(a, *(int*)index);
}
__attribute__((noinline)) static void leave(int depth, int i) {
  int a[4];
  put(a, 1);
  if (depth == 0) pthread_exit(NULL);
  pthread_cleanup_push(clean, &i);
  leave(depth - 1, i);
  pthread_cleanup_pop(0);
}
static void* leaver(void* index) {
  pthread_setspecific(key, index);
  leave(3, *(int*)index);
  return NULL;
}
static void after_exit_of_thread(int i) {
  pthread_t thread;
  pthread_key_create(&key, at_end);
  pthread_create(&thread, NULL, leaver, &i);
  pthread_join(thread, NULL);
}
static void after_recursion(int i) {
  int a[4] = {0};
  depths(20, 3, a);
  reuse(6);
  put(a, i);
}

static void heap(int i, int* a) {
  a[i] = 1;
  free(a);
}
static void heap_malloc(int i) { heap(i, malloc(16)); }
static void heap_calloc(int i) { heap(i, calloc(2, 8)); }
static void heap_realloc(int i) { heap(i, realloc(malloc(100), 16)); }
static void heap_aligned(int i) { heap(i, aligned_alloc(64, 16)); }
static void heap_memalign(int i) {
  void* a = NULL;
  if (posix_memalign(&a, 128, 16) == 0) heap(i, a);
}
static void heap_strdup(int i) { heap(i, (int*)strdup("0123456789abcde")); }

#define SHAPES(X)                                                                                                      \
  X(far_local_write)                                                                                                   \
  X(far_local_read) X(far_local_struct) X(far_local_in_loop) X(far_matrix) X(far_variable_length) X(far_atomic)        \
      X(far_copy_to) X(far_copy_from) X(far_fill) X(far_global) X(far_static) X(far_constant) X(far_thread_local)      \
          X(far_open_thread_local) X(far_section) X(far_parameter) X(far_constant_index) X(passed_write)               \
              X(passed_read) X(passed_scalar) X(passed_struct) X(passed_aligned) X(passed_variable_length)             \
                  X(passed_alloca) X(passed_in_loop) X(passed_blocks) X(passed_recursion) X(passed_parameter)          \
                      X(walked) X(chosen) X(stored) X(library_strcpy) X(library_strcat) X(library_strncpy)             \
                          X(library_memcpy) X(library_sprintf) X(library_snprintf) X(library_sscanf) X(library_strlen) \
                              X(after_longjmp) X(after_longjmp_again) X(after_exit_of_thread) X(after_recursion)       \
                                  X(heap_malloc) X(heap_calloc) X(heap_realloc) X(heap_aligned) X(heap_memalign)       \
                                      X(heap_strdup)

static int wanted;
static void* publish(void* unused) {
  published = wanted;
  return unused;
}

int main(int count, char** words) {
#define LIST(name) puts(#name);
  if (count == 1) {
    SHAPES(LIST)
    return 0;
  }
  wanted = atoi(words[2]);
  pthread_t thread;
  pthread_create(&thread, NULL, publish, NULL);
  const int index = published;
#define CALL(name) \
  if (strcmp(words[1], #name) == 0) name(index);
  SHAPES(CALL)
  pthread_join(thread, NULL);
  return 0;
}

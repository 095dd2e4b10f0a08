// Arrays of four ints in all sorts of memory, accessed at an index that another thread has written. `shapes` lists the shapes; `shapes NAME INDEX` does one.
// A name that begins with "far_" finds indices that lie far outside, too.
#include <alloca.h>
#include <malloc.h>
#include <pthread.h>
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

#define SHAPES(X) \
  X(far_local_write) X(far_local_read) X(far_local_struct) X(far_local_in_loop) X(far_matrix) X(far_variable_length) X(far_atomic) \
  X(far_copy_to) X(far_copy_from) X(far_fill) X(far_global) X(far_static) X(far_constant) X(far_thread_local) X(far_open_thread_local) \
  X(far_section) X(far_parameter) X(far_constant_index) \
  X(heap_malloc) X(heap_calloc) X(heap_realloc) X(heap_aligned) X(heap_memalign) X(heap_strdup)

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

// Correct programs hold and copy memory without a value all the time: padding, bit-fields, unions, parts of structs, spare room. And what library
// functions write has a value.
// CHECK: verdict=safe
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct padded {
  char a;
  int b;
  short c;
};
struct bits {
  unsigned a : 3, b : 5, c : 12;
};
union either {
  char c;
  int i;
  double d;
};
struct flexible {
  int count;
  int values[];
};

static int sum_list(int n, va_list list) {
  int sum = 0;
  while (n--) sum += va_arg(list, int);
  return sum;
}

__attribute__((noinline)) static int sum_twice(int n, ...) {
  va_list list, again;
  va_start(list, n);
  va_copy(again, list);
  const int sum = sum_list(n, list) + sum_list(n, again);
  va_end(list);
  va_end(again);
  return sum;
}

__attribute__((noinline)) static struct padded make(int a) {
  struct padded made;
  made.a = (char)a;
  if (a > 3) made.b = 1;
  return made;
}

__attribute__((noinline)) static int take(struct padded value) { return value.a; }
__attribute__((noinline)) static void set(int *out, int set) {
  if (set) *out = 7;
}

static void structs(void) {
  struct padded *p = malloc(sizeof *p), q;
  p->a = 1;
  q = *p;
  memcpy(p, &q, sizeof q);
  assert(q.a == 1 && p->a == 1 && take(q) == 1);
  const struct padded made = make(1), copy = made;
  assert(copy.a == 1);
  struct bits *b = malloc(sizeof *b), local;
  b->a = 5;
  assert(b->a == 5);
  b->c = 3;
  assert(b->c == 3);
  local.a = 2;
  assert(local.a == 2);
  union either *u = malloc(sizeof *u), copied;
  u->c = 3;
  copied = *u;
  assert(copied.c == 3);
  struct flexible *f = malloc(sizeof *f + 4 * sizeof(int));
  f->count = 2;
  for (int i = 0; i < f->count; ++i) f->values[i] = i;
  f = realloc(f, sizeof *f + 8 * sizeof(int));
  for (int i = 0; i < f->count; ++i) assert(f->values[i] == i);
  uint64_t *word = malloc(8), *other = malloc(8);
  *(char *)word = 1;
  *other = *word;
  assert(*(char *)other == 1);
  free(p), free(b), free(u), free(f), free(word), free(other);
}

static void library(void) {
  int given, kept, number;
  set(&given, 1);
  set(&kept, 0);
  const int copy = kept;
  (void)copy;
  assert(given == 7 && sum_twice(2, 5, 6) == 22);
  char text[16], line[8], *heap = malloc(8), *twin;
  const int length = snprintf(text, sizeof text, "%d", 12);
  assert(text[0] == '1' && length == 2 && sscanf("4", "%d", &number) == 1 && number == 4);
  memset(line, 0, sizeof line);
  strcpy(heap, "abc");
  twin = strdup(heap);
  assert(line[3] == 0 && strlen(heap) == 3 && strcmp(heap, twin) == 0);
  FILE *file = tmpfile();
  fputs("xyz\n", file);
  rewind(file);
  char *room = malloc(32);
  assert(fgets(room, 32, file) && room[2] == 'z');
  lseek(fileno(file), 1, SEEK_SET);
  char *raw = malloc(32);
  assert(read(fileno(file), raw, 2) == 2 && raw[1] == 'z');
  fclose(file);
  jmp_buf place;
  volatile int rounds = 0;
  if (setjmp(place) == 0) {
    rounds = 1;
    longjmp(place, 1);
  }
  assert(rounds == 1);
  free(heap), free(twin), free(room), free(raw);
}

static struct padded shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *copy_there(void *from) {
  pthread_mutex_lock(&mutex);
  shared = *(struct padded *)from;
  if (shared.a) shared.c = 1;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  structs();
  library();
  pthread_t thread;
  struct padded value;
  value.a = 1;
  pthread_create(&thread, NULL, copy_there, &value);
  pthread_mutex_lock(&mutex);
  assert(shared.a <= 1);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  assert(shared.c == 1);
}

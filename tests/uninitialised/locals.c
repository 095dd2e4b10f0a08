// Locals without a value, threads that hand them over, library functions that write: see shapes.h.
#include "shapes.h"

// Locals.
static void local_int(int set) {
  int x;
  give(&x, set);
  if (x == 7) sink = 1;
}
static void local_register(int set) {
  int x;
  if (set) x = zero;
  if (x == 7) sink = 1;
}
static void local_chars(int set) {
  char text[4];
  look(text);
  text[0] = text[1] = text[2] = 1;
  if (set) text[3] = 1;
  if (text[3] == 7) sink = 1;
}
static void local_tail(int set) {
  struct tail t;
  t.number = 1;
  if (set) t.text[0] = t.text[1] = t.text[2] = 1;
  look(&t);
  if (t.text[1] == 7) sink = 1;
}
static void local_array(int set) {
  int a[12];
  look(a);
  for (int i = 1 - set; i < 12; ++i) a[i] = i;
  if (a[zero] == 7) sink = 1;
}
static void local_long_array(int set) {
  int a[12];
  a[0] = a[1] = 3;
  if (set) a[10] = 1;
  if (a[10] == 7) sink = 1;
}
static void local_longer_array(int set) {
  long a[40];
  for (int i = 0; i < 39 + set; ++i) a[i] = zero;
  long sum = 0;
  for (int i = 0; i < 40; ++i) sum += a[i];
  if (sum == 7) sink = 1;
}
static void local_big_struct(int set) {
  struct {
    int head, items[10], last;
  } s;
  s.head = 1;
  if (set) s.last = 2;
  if (s.head == 7) sink = 1;
  if (s.last == 7) sink = 1;
}
static void local_struct(int set) {
  struct pair p;
  p.first = 1;
  give(&p.second, set);
  if (p.first == 7) sink = 1;
  if (p.second == 7) sink = 1;
}
static void local_struct_copied(int set) {
  struct pair p, q, *block = malloc(sizeof *block);
  p.first = 1;
  if (set) p.second = 1;
  q = p;
  *block = q;
  if (block->first == 7) sink = 1;
  if (block->second == 7) sink = 1;
  free(block);
}
static void local_in_loop(int set) {
  for (int turn = 0; turn < 2; ++turn) {
    int x;
    if (turn == 0 || set) give(&x, 1);
    if (x == 7) sink = 1;
  }
}
static void local_bits(int set) {
  struct bits b;
  b.a = 1;
  if (set) b.c = 1;
  look(&b);
  if (b.a == 7) sink = 1;
  if (b.c == 7) sink = 1;
}
static void local_union(int set) {
  union both u;
  u.letters[0] = 1;
  if (set) u.letters[1] = 1;
  look(&u);
  if (u.halves[0] == 0x0701) sink = 1;
}
__attribute__((noinline)) static int unset_result(int set) {
  int x;
  if (set) x = 1;
  return x;
}
static void local_result(int set) { sink = unset_result(set); }
static void local_printed(int set) {
  int x;
  if (set) x = 1;
  printf("%d\n", x);
}
static void local_text(int set) {
  char text[8];
  text[0] = 'a';
  if (set) text[1] = 0;
  printf("%s\n", text);
}
static void fine_local_holes(int set) {
  struct holes h, copy;
  h.letter = 1, h.number = set, h.end = 3;
  copy = h;
  look(&copy);
  if (memcmp(&h, &copy, sizeof h) < 0) sink = 2;
  if (copy.letter == 7 || copy.number == 7 || copy.end == 7) sink = 1;
}
static void fine_local_bits(int set) {
  struct bits b;
  look(&b);
  b.a = 1;
  b.b = 2;
  b.c = set;
  b.c += 2;
  if (b.a + b.b + b.c == 70) sink = 1;
}
static void fine_local_later(int set) {
  char text[32];
  int length = 0;
  for (int i = 0; i < 3 + set; ++i) text[length++] = 'a';
  text[length] = 0;
  if (strlen(text) == 7) sink = 1;
  if (strcmp(text, "bb") == 0) sink = 2;
}
static int add_all(int count, ...) {
  va_list list;
  int sum = 0;
  va_start(list, count);
  for (int i = 0; i < count; ++i) sum += va_arg(list, int);
  va_end(list);
  return sum;
}
static void fine_variadic(int set) {
  if (add_all(3, 1, 2, set) == 70) sink = 1;
}
static void fine_global(int set) {
  static struct pair global[3];
  static _Thread_local int own[2];
  if (set) global[1].first = 1;
  if (global[1].second == 7 || own[set] == 7) sink = 1;
}
static void fine_vectorised(int set) {
  float a[32], b[32], c[32];
  for (int i = 0; i < 32; ++i) a[i] = (float)(i + set), b[i] = 2;
  look(a), look(b);
  for (int i = 0; i < 32; ++i) c[i] = a[i] * b[i];
  look(c);
  float sum = 0;
  for (int i = 0; i < 32; ++i) sum += c[i];
  if (sum == 7) sink = 1;
}

// Other threads.
static void* unset_thread(void* argument) {
  void* result;
  if (*(int*)argument) result = NULL;
  return result;
}
static void thread_result(int set) {
  pthread_t thread;
  void* result;
  pthread_create(&thread, NULL, unset_thread, &set);
  pthread_join(thread, &result);
  if (result) sink = 1;
}
static void* set_first(void* argument) {
  struct pair* p = argument;
  if (p->first) p->second = 1;
  return NULL;
}
static void thread_fills(int set) {
  pthread_t thread;
  struct pair* p = malloc(sizeof *p);
  p->first = set;
  pthread_create(&thread, NULL, set_first, p);
  pthread_join(thread, NULL);
  if (p->second == 7) sink = 1;
  free(p);
}
static void thread_fills_local(int set) {
  pthread_t thread;
  struct pair p;
  p.first = set;
  pthread_create(&thread, NULL, set_first, &p);
  pthread_join(thread, NULL);
  if (p.second == 7) sink = 1;
}
static void* publish(void* argument) {
  struct pair* p = argument;
  p->first = 1;
  atomic_store(&flag, 2);
  return NULL;
}
static void thread_too_early(int set) {
  pthread_t thread;
  struct pair* p = malloc(sizeof *p);
  pthread_create(&thread, NULL, publish, p);
  if ((!set || atomic_load(&flag) == 2) && p->first == 7) sink = 1;
  pthread_join(thread, NULL);
  free(p);
}

// What library functions write.
static void fine_library_numbers(int set) {
  int number, exponent;
  double whole;
  char* end;
  if (sscanf("12 x", "%d", &number) == 1 && number == 7 + set) sink = 1;
  if (strtol("12x", &end, 10) == 7 || *end == 'y') sink = 1;
  if (frexp(8.0 + set, &exponent) > 3 || exponent == 77) sink = 1;
  if (modf(8.5 + set, &whole) > 3 || whole == 77) sink = 1;
}
static void fine_library_times(int set) {
  struct timespec now;
  struct timeval day;
  struct tm parts;
  clock_gettime(CLOCK_MONOTONIC, &now);
  gettimeofday(&day, NULL);
  time_t seconds = time(NULL) + set;
  localtime_r(&seconds, &parts);
  if (now.tv_sec == 7 && day.tv_sec == 7 && parts.tm_year == 7) sink = 1;
}
static void fine_library_files(int set) {
  struct stat about;
  if (stat("/", &about) == 0 && about.st_mode == 7) sink = 1;
  char text[8];
  const int file = open("/proc/version", O_RDONLY);
  if (file < 0 || read(file, text, 5) != 5) return;
  if (text[2] == 'x' + set) sink = 1;
  close(file);
}
static void fine_library_signals(int set) {
  sigset_t signals, old;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &signals, &old);
  if (sigismember(&old, SIGUSR2) == 1 + set) sink = 1;
}
static void fine_library_objects(int set) {
  pthread_mutex_t* mutex = malloc(sizeof *mutex);
  sem_t semaphore;
  pthread_attr_t attributes;
  int state, value;
  pthread_mutex_init(mutex, NULL);
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
  pthread_mutex_destroy(mutex);
  sem_init(&semaphore, 0, 1);
  sem_wait(&semaphore);
  sem_getvalue(&semaphore, &value);
  pthread_attr_init(&attributes);
  pthread_attr_getdetachstate(&attributes, &state);
  pthread_attr_destroy(&attributes);
  if (state == 7 + set || value == 7) sink = 1;
  free(mutex);
}
static void fine_library_texts(int set) {
  char text[16], other[16];
  strcpy(text, set ? "a" : "ab");
  strcat(text, "c");
  strncpy(other, text, sizeof other);
  snprintf(text, sizeof text, "%s%d", other, 3);
  if (strcmp(text, "x") == 0 || strchr(other, 'x') || other[9]) sink = 1;
  char *copy = strdup(text), *line = NULL;
  if (strlen(copy) == 9) sink = 1;
  free(copy);
  if (asprintf(&line, "%d", set) > 5) sink = 1;
  if (line[0] == 'x') sink = 1;
  free(line);
}
static int compare(const void* a, const void* b) {
  return *(const int*)a < *(const int*)b ? -1 : *(const int*)a > *(const int*)b;
}
static void fine_library_sort(int set) {
  int a[5] = {3, 1, 2 + set, 9, 4}, key = 4;
  qsort(a, 5, sizeof *a, compare);
  int* found = bsearch(&key, a, 5, sizeof *a, compare);
  if (a[0] == 7 || !found) sink = 1;
}
static void library_sort(int set) {
  int* a = malloc(4 * sizeof *a);
  a[0] = 3, a[1] = 2, a[2] = 1;
  if (set) a[3] = 5;
  qsort(a, 4, sizeof *a, compare);
  sink = a[0];
  free(a);
}

static const struct named shapes[] = {
    SHAPE(local_int),          SHAPE(local_register),       SHAPE(local_chars),          SHAPE(local_tail),
    SHAPE(local_array),        SHAPE(local_long_array),     SHAPE(local_longer_array),   SHAPE(local_big_struct),
    SHAPE(local_struct),       SHAPE(local_struct_copied),  SHAPE(local_in_loop),        SHAPE(local_bits),
    SHAPE(local_union),        SHAPE(local_result),         SHAPE(local_printed),        SHAPE(local_text),
    SHAPE(fine_local_holes),   SHAPE(fine_local_bits),      SHAPE(fine_local_later),     SHAPE(fine_variadic),
    SHAPE(fine_global),        SHAPE(fine_vectorised),      SHAPE(thread_result),        SHAPE(thread_fills),
    SHAPE(thread_fills_local), SHAPE(thread_too_early),     SHAPE(fine_library_numbers), SHAPE(fine_library_times),
    SHAPE(fine_library_files), SHAPE(fine_library_signals), SHAPE(fine_library_objects), SHAPE(fine_library_texts),
    SHAPE(fine_library_sort),  SHAPE(library_sort)};

int main(int count, char** words) { return run_shape(count, words, shapes, sizeof shapes / sizeof *shapes); }

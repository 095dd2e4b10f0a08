// Blocks without a value: see shapes.h.
#include "shapes.h"

static int table[256];

static void heap_int(int set) {
  int* p = malloc(sizeof *p);
  if (set) *p = 1;
  if (*p == 7) sink = 1;
  free(p);
}
static void heap_member(int set) {
  struct pair* p = malloc(sizeof *p);
  p->first = 1;
  if (set) p->second = 1;
  if (p->first == 7) sink = 1;
  if (p->second == 7) sink = 1;
  free(p);
}
static void heap_element(int set) {
  int* p = malloc(10 * sizeof *p);
  for (int i = 1 - set; i < 10; ++i) p[i] = i;
  if (p[zero] == 7) sink = 1;
  free(p);
}
static void heap_grown(int set) {
  int* p = malloc(2 * sizeof *p);
  p[0] = p[1] = 1;
  p = realloc(p, 4 * sizeof *p);
  if (set) p[2] = 1;
  if (p[1] == 7) sink = 1;
  if (p[2] == 7) sink = 1;
  free(p);
}
static void heap_kept_by_realloc(int set) {
  int* p = malloc(2 * sizeof *p);
  if (set) p[1] = 1;
  p = realloc(p, 400);
  if (p[1] == 7) sink = 1;
  free(p);
}
static void heap_copied(int set) {
  struct pair *p = malloc(sizeof *p), *q = malloc(sizeof *q);
  p->first = 1;
  if (set) p->second = 1;
  memcpy(q, p, sizeof *q);
  if (q->first == 7) sink = 1;
  if (q->second == 7) sink = 1;
  free(p), free(q);
}
static void heap_moved_up(int set) {
  char* p = malloc(32);
  memset(p, 1, 8 + set);
  memmove(p + 3, p, 20);
  if (p[10] == 7) sink = 1;
  if (p[11] == 7) sink = 1;
  free(p);
}
static void heap_moved_down(int set) {
  char* p = malloc(32);
  memset(p, 1, 20 + set);
  memmove(p, p + 5, 20);
  if (p[14] == 7) sink = 1;
  if (p[15] == 7) sink = 1;
  free(p);
}
static void heap_overwritten_by_copy(int set) {
  int *p = malloc(40), *q = malloc(40);
  memset(q, 0, 40);
  if (set) memset(p, 0, 40);
  memcpy(q, p, 40);
  if (q[5] == 7) sink = 1;
  free(p), free(q);
}
static void heap_assigned(int set) {
  struct pair *p = malloc(sizeof *p), *q = malloc(sizeof *q), *r = malloc(sizeof *r);
  p->first = 1;
  if (set) p->second = 1;
  *q = *p;
  *r = *q;
  if (r->first == 7) sink = 1;
  if (r->second == 7) sink = 1;
  free(p), free(q), free(r);
}
static void heap_to_global(int set) {
  static struct pair global;
  struct pair* p = malloc(sizeof *p);
  p->first = 1;
  if (set) p->second = 1;
  global = *p;
  free(p);
  if (global.second == 7) sink = 1;
}
static void heap_by_bytes(int set) {
  int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
  if (set) *p = 1;
  for (size_t i = 0; i < sizeof *p; ++i) ((char*)q)[i] = ((char*)p)[i];
  if (*q == 7) sink = 1;
  free(p), free(q);
}
static void heap_half_word(int set) {
  struct two* p = malloc(sizeof *p);
  p->low = 1;
  if (set) p->high = 1;
  uint16_t word;
  memcpy(&word, p, 2);
  if (word == 0x0107 || word > 0x2000) sink = 1;
  free(p);
}
static void fine_half_decides(int set) {
  struct two* p = malloc(sizeof *p);
  p->low = 1;
  if (set) p->high = 1;
  uint16_t word;
  memcpy(&word, p, 2);
  if ((word & 0xff) == 7) sink = 1;
  if ((uint8_t)word == 9) sink = 1;
  free(p);
}
static void heap_union(int set) {
  union both* p = malloc(sizeof *p);
  p->letters[0] = p->letters[1] = p->letters[2] = 1;
  if (set) p->letters[3] = 1;
  if (p->number == 0x05010101) sink = 1;
  free(p);
}
static void fine_union(int set) {
  union both *p = malloc(sizeof *p), copy;
  p->halves[set] = 1;
  copy = *p;
  if (copy.halves[set] == 7) sink = 1;
  free(p);
}
static void heap_bit_field(int set) {
  struct bits* p = malloc(sizeof *p);
  p->a = 1;
  if (set) p->c = 1;
  if (p->a == 7) sink = 1;
  if (p->c == 7) sink = 1;
  free(p);
}
static void fine_bit_fields(int set) {
  struct bits* p = malloc(sizeof *p);
  p->c = 3;
  p->a = 1 + set;
  p->b = 2;
  p->b++;
  p->a |= 2;
  struct bits copy = *p;
  if (copy.a + copy.b + copy.c == 70) sink = 1;
  free(p);
}
static void heap_text(int set) {
  char* p = malloc(8);
  memcpy(p, "abc", 3 + set);
  sink = (int)strlen(p);
  free(p);
}
static void heap_index(int set) {
  unsigned char* p = malloc(4);
  if (set) p[2] = 1;
  sink = table[p[2]];
  free(p);
}
static void heap_pointer(int set) {
  int **p = malloc(sizeof *p), target = 1;
  if (set) *p = &target;
  sink = **p;
  free(p);
}
static void heap_function(int set) {
  void (**p)(void*) = malloc(sizeof *p);
  if (set) *p = look;
  (*p)(&set);
  free(p);
}
static void heap_switch(int set) {
  int* p = malloc(sizeof *p);
  if (set) *p = 2;
  switch (*p) {
    case 1: sink = 3; break;
    case 2: sink = 4; break;
    case 5: sink = 9; break;
    default: break;
  }
  free(p);
}
static void heap_double(int set) {
  double* p = malloc(2 * sizeof *p);
  p[0] = 1;
  if (set) p[1] = 1;
  if (p[0] * 2 + p[1] > 1e9) sink = 1;
  free(p);
}
static void heap_float(int set) {
  float* p = malloc(sizeof *p);
  if (set) *p = 1;
  if (*p > 1e9f) sink = 1;
  free(p);
}
static void heap_bool(int set) {
  _Bool* p = malloc(sizeof *p);
  if (set) *p = 0;
  if (*p) sink = 1;
  free(p);
}
static void heap_fetch_add(int set) {
  atomic_int* p = malloc(sizeof *p);
  if (set) atomic_init(p, 0);
  if (atomic_fetch_add(p, 1) == 7) sink = 1;
  free(p);
}
static void heap_exchange(int set) {
  atomic_int* p = malloc(sizeof *p);
  if (set) atomic_init(p, 0);
  int expected = 4;
  if (atomic_compare_exchange_strong(p, &expected, 1)) sink = 1;
  free(p);
}
static void heap_atomic_load(int set) {
  _Atomic long* p = malloc(sizeof *p);
  if (set) atomic_store(p, 0);
  if (atomic_load(p) == 7) sink = 1;
  free(p);
}
static void heap_sum(int set) {
  int *p = malloc(8 * sizeof *p), sum = 0;
  for (int i = 0; i < 7 + set; ++i) p[i] = i;
  for (int i = 0; i < 8; ++i) sum += p[i];
  if (sum == 77) sink = 1;
  free(p);
}
static void heap_long_sum(int set) {
  int *p = malloc(64 * sizeof *p), sum = 0;
  for (int i = 0; i < 63 + set; ++i) p[i] = i;
  for (int i = 0; i < 64; ++i) sum ^= p[i];
  if (sum == 77) sink = 1;
  free(p);
}
static void heap_loop_bound(int set) {
  struct pair* p = malloc(sizeof *p);
  if (set) p->second = 2;
  for (int i = 0; i < p->second && i < 4; ++i) sink = i;
  free(p);
}
static void heap_printed(int set) {
  int* p = malloc(sizeof *p);
  if (set) *p = 2;
  char text[32];
  snprintf(text, sizeof text, "%d", *p);
  look(text);
  free(p);
}
static void fine_heap_zeroed(int set) {
  struct pair* p = calloc(2, sizeof *p);
  if (set) p->second = 1;
  if (p[1].second == 7 || p->second == 9) sink = 1;
  free(p);
}
static void fine_heap_padding(int set) {
  struct holes *p = malloc(sizeof *p), *q = malloc(sizeof *q);
  p->letter = 1, p->number = set, p->end = 2;
  *q = *p;
  memcpy(p, q, sizeof *p);
  if (memcmp(p, q, sizeof *p) < 0) sink = 2;
  if (p->letter == 7 || q->number == 7 || q->end == 7) sink = 1;
  free(p), free(q);
}
static void fine_unused(int set) {
  struct pair *p = malloc(sizeof *p), local;
  p->first = set;
  local = *p;
  look(&local);
  if (local.first == 7) sink = 1;
  free(p);
}
static void fine_masked(int set) {
  unsigned* p = malloc(sizeof *p);
  if (set) *p = 9;
  *p &= 0xff;
  if (*p & 0x100) sink = 1;
  free(p);
}
static void fine_swapped(int set) {
  long *p = malloc(2 * sizeof *p), kept;
  p[set] = 1;
  kept = p[0], p[0] = p[1], p[1] = kept;
  if (p[1 - set] == 7) sink = 1;
  free(p);
}

static const struct named shapes[] = {SHAPE(heap_int),
                                      SHAPE(heap_member),
                                      SHAPE(heap_element),
                                      SHAPE(heap_grown),
                                      SHAPE(heap_kept_by_realloc),
                                      SHAPE(heap_copied),
                                      SHAPE(heap_moved_up),
                                      SHAPE(heap_moved_down),
                                      SHAPE(heap_overwritten_by_copy),
                                      SHAPE(heap_assigned),
                                      SHAPE(heap_to_global),
                                      SHAPE(heap_by_bytes),
                                      SHAPE(heap_half_word),
                                      SHAPE(fine_half_decides),
                                      SHAPE(heap_union),
                                      SHAPE(fine_union),
                                      SHAPE(heap_bit_field),
                                      SHAPE(fine_bit_fields),
                                      SHAPE(heap_text),
                                      SHAPE(heap_index),
                                      SHAPE(heap_pointer),
                                      SHAPE(heap_function),
                                      SHAPE(heap_switch),
                                      SHAPE(heap_double),
                                      SHAPE(heap_float),
                                      SHAPE(heap_bool),
                                      SHAPE(heap_fetch_add),
                                      SHAPE(heap_exchange),
                                      SHAPE(heap_atomic_load),
                                      SHAPE(heap_sum),
                                      SHAPE(heap_long_sum),
                                      SHAPE(heap_loop_bound),
                                      SHAPE(heap_printed),
                                      SHAPE(fine_heap_zeroed),
                                      SHAPE(fine_heap_padding),
                                      SHAPE(fine_unused),
                                      SHAPE(fine_masked),
                                      SHAPE(fine_swapped)};

int main(int count, char** words) { return run_shape(count, words, shapes, sizeof shapes / sizeof *shapes); }

// More small programs with inputs, most of them with threads: inputs in shared memory, under locks, in loops and in
// atomic operations. As programs.c.
#include "inputs.h"

static _Atomic int ax, ay;
static _Atomic long al;
static _Atomic unsigned char ac;
static _Atomic short as;
static int gx, gi, gtab[8];
static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
static void* t_none(void* u) { return u; }

static void* index_store(void* u) {
  gtab[gi & 7] = 5;
  return u;
}
PROGRAM(index_by_input_in_thread) {  // x = 0..7; classes 99
  gi = IN(0, 7, "x");
  start(0, index_store, 0);
  wait_for(1);
  plait_assert(gtab[3] != 5);
}
static void* index_atomic(void* u) {
  static _Atomic int tab[4];
  atomic_fetch_add(&tab[gi & 3], 1);
  if (atomic_load(&tab[2]) == 2) plait_assert(0);
  return u;
}
PROGRAM(index_atomic_two) {  // x = 0..3; classes 99
  gi = IN(0, 3, "x");
  start(0, index_atomic, 0);
  start(1, index_atomic, 0);
  wait_for(2);
}
static void* loop_adder(void* u) {
  for (int k = 0; k < gi; ++k) atomic_fetch_add(&ax, 2);
  return u;
}
PROGRAM(loop_by_input_in_threads) {  // x = 0..3; classes 99
  gi = IN(0, 3, "x");
  start(0, loop_adder, 0);
  start(1, loop_adder, 0);
  plait_assert(atomic_load(&ax) != 6);
  wait_for(2);
  plait_assert(atomic_load(&ax) == 4 * gi);
  plait_assert(atomic_load(&ax) != 12);
}
static void* switcher(void* u) {
  switch (atomic_load(&ax)) {
    case 1: atomic_store(&ay, 3); break;
    case 5: atomic_store(&ay, 4); break;
    case 9:
    case 10: atomic_store(&ay, 5); break;
    default: atomic_store(&ay, 6);
  }
  return u;
}
PROGRAM(switch_on_stored_input) {  // x = 0, 1, 5, 9, 10; classes 99
  int x = IN(0, 12, "x");
  start(0, switcher, 0);
  atomic_store(&ax, x);
  wait_for(1);
  int y = atomic_load(&ay);
  plait_assert(y != 5 || x == 9 || x == 10);
  plait_assert(y != 4);
}
static void* wide_store(void* u) {
  atomic_store(&al, ((long)gi << 33) + 7);
  return u;
}
PROGRAM(sixty_four_bits) {  // x = -4..4; classes 99
  gi = IN(-4, 4, "x");
  start(0, wide_store, 0);
  long v = atomic_load(&al);
  wait_for(1);
  plait_assert(v == 0 || v > 0 || v == ((long)gi << 33) + 7);
  plait_assert(v != (3L << 33) + 7);
  plait_assert((int)v != 8);
}
static unsigned __int128 w128;
PROGRAM(one_twenty_eight) {  // x = 0..7; classes 99
  unsigned x = (unsigned)IN(0, 7, "x");
  w128 = ((unsigned __int128)x << 100) + 3;
  unsigned long high = (unsigned long)(w128 >> 64);
  plait_assert(high != 5ul << 36);
  plait_assert((w128 & 3) == 3);
}
PROGRAM(int128_product) {  // x = -3..3; y = -3..3; classes 99
  __int128 p = (__int128)IN(-3, 3, "x") * ((__int128)IN(-3, 3, "y") << 70);
  plait_assert(p != ((__int128)6 << 70));
  plait_assert(p != -((__int128)9 << 70));
}
PROGRAM(overflow_builtins) {  // x = 0..3; y = 0..3; classes 16
  unsigned char a = (unsigned char)(IN(0, 3, "x") * 80), b = (unsigned char)(IN(0, 3, "y") * 60), sum, product,
                difference;
  bool o1 = __builtin_add_overflow(a, b, &sum), o2 = __builtin_mul_overflow(a, b, &product),
       o3 = __builtin_sub_overflow(a, b, &difference);
  plait_assert(!o1 || sum != 44);
  plait_assert(!o2 || product == (unsigned char)(a * b));
  plait_assert(o3 == (a < b));
  plait_assert(!(o1 && !o3));
}
PROGRAM(overflow_signed_64) {  // x = 0..3; classes 3
  long x = IN(0, 3, "x"), r;
  bool o = __builtin_smull_overflow(x, LONG_MAX / 2, &r);
  plait_assert(o == (x > 2));
  plait_assert(!o);
}
struct rec {
  char c;
  short s;
  int n;
  long l;
  unsigned b : 3;
  int d : 5;
};
static struct rec shared_rec;
static void* rec_copy(void* u) {
  pthread_mutex_lock(&mu);
  struct rec r = shared_rec;
  pthread_mutex_unlock(&mu);
  if (r.s == 3 && r.n == 9) plait_assert(r.b != 3);
  return u;
}
PROGRAM(struct_through_mutex) {  // x = 0..4; y = 7..10; classes 99
  int x = IN(0, 4, "x"), y = IN(7, 10, "y");
  start(0, rec_copy, 0);
  pthread_mutex_lock(&mu);
  struct rec r = {.c = 1, .s = (short)x, .n = y, .l = x * y, .b = (unsigned)x, .d = -x};
  memcpy(&shared_rec, &r, sizeof r);
  pthread_mutex_unlock(&mu);
  wait_for(1);
  plait_assert(shared_rec.d != -2);
}
static char text_shared[8];
static void* text_reader(void* u) {
  pthread_mutex_lock(&mu);
  if (!strcmp(text_shared, "hi")) plait_assert(0);
  size_t n = strlen(text_shared);
  pthread_mutex_unlock(&mu);
  plait_assert(n <= 3);
  return u;
}
PROGRAM(strings_between_threads) {  // c = 0, 104, 105; d = 0, 105; classes 99
  char buffer[4] = {(char)IN(0, 127, "c"), (char)IN(0, 127, "d"), 0, 0};
  start(0, text_reader, 0);
  pthread_mutex_lock(&mu);
  strcpy(text_shared, buffer);
  pthread_mutex_unlock(&mu);
  wait_for(1);
}
static void* cas_loop(void* u) {
  int e = atomic_load(&ax);
  while (!atomic_compare_exchange_strong(&ax, &e, e * 2 + gi)) {
  }
  return u;
}
PROGRAM(cas_retry_of_input) {  // x = 0..3; classes 99
  gi = IN(0, 3, "x");
  start(0, cas_loop, 0);
  start(1, cas_loop, 0);
  wait_for(2);
  plait_assert(atomic_load(&ax) == 3 * gi);
  plait_assert(atomic_load(&ax) != 6);
}
static void* weak_cas(void* u) {
  int e = gi;
  if (atomic_compare_exchange_weak(&ax, &e, 7))
    atomic_store(&ay, 1);
  else
    plait_assert(e != 3);
  return u;
}
PROGRAM(cas_with_expected_input) {  // x = 0..4; classes 99
  gi = IN(0, 4, "x");
  start(0, weak_cas, 0);
  atomic_store(&ax, 3);
  wait_for(1);
  plait_assert(atomic_load(&ax) != 7 || atomic_load(&ay) == 1);
  plait_assert(atomic_load(&ax) != 7);
}
static void* rmw_all(void* u) {
  atomic_fetch_or(&ac, (unsigned char)gi);
  atomic_fetch_xor(&ac, 5);
  atomic_fetch_and(&as, (short)~gi);
  atomic_fetch_sub(&al, gi);
  return u;
}
PROGRAM(rmw_of_inputs) {  // x = 0, 5, 11, 12; classes 99
  gi = IN(0, 15, "x");
  atomic_store(&as, 15);
  start(0, rmw_all, 0);
  unsigned char seen = atomic_load(&ac);
  wait_for(1);
  plait_assert(seen != 9);
  plait_assert(atomic_load(&ac) != 0);
  plait_assert(atomic_load(&as) != 3);
  plait_assert(atomic_load(&al) != -11);
}
static void* exchange_in(void* u) {
  int old = atomic_exchange(&ax, gi);
  plait_assert(old != 2 || gi == 2);
  return u;
}
PROGRAM(exchange_of_inputs) {  // x = 0..3; classes 99
  gi = IN(0, 3, "x");
  start(0, exchange_in, 0);
  start(1, exchange_in, 0);
  wait_for(2);
  atomic_store(&ay, atomic_load(&ax));
  plait_assert(ay != 1);
}
static int gy;
static void* three_conditions(void* u) {
  if (gx > 2 && gy < gx && atomic_load(&ax) == gx + gy) plait_assert(gy != 1);
  return u;
}
PROGRAM(conditions_over_inputs) {  // x = 0..4; y = 0..4; classes 99
  gx = IN(0, 4, "x");
  gy = IN(0, 4, "y");
  start(0, three_conditions, 0);
  atomic_store(&ax, 4);
  wait_for(1);
}
static void* input_in_thread(void* u) {
  int v = IN(0, 3, u ? "b" : "a");
  atomic_fetch_add(&ax, v + 1);
  return u;
}
PROGRAM(inputs_in_both_threads) {  // a = 0..3; b = 0..3; classes 99
  start(0, input_in_thread, 0);
  start(1, input_in_thread, "");
  plait_assert(atomic_load(&ax) != 3);
  wait_for(2);
  plait_assert(atomic_load(&ax) != 7);
}
PROGRAM(inputs_in_a_loop) {  // v0 = 0..2; v1 = 0..2; classes 9
  const char* names[] = {"v0", "v1"};
  int sum = 0;
  for (int k = 0; k < 2; ++k) sum += 2 * sum + IN(0, 2, names[k]);
  plait_assert(sum != 5);
}
static void* assumer(void* u) {
  int v = atomic_load(&ax);
  plait_assume(v != 0);
  plait_assert(v != 3);
  return u;
}
PROGRAM(assume_on_shared) {  // x = 0..4; classes 99
  int x = IN(0, 4, "x");
  start(0, assumer, 0);
  atomic_store(&ax, x);
  pthread_join(threads[0], 0);
}
PROGRAM(klee_names) {  // v = 0..5; w = 3..6; classes 99
  unsigned v;
  klee_make_symbolic(&v, sizeof v, "v");
  klee_assume(v < 6);
  int w = klee_range(3, 7, "w");
  plait_assert(v + (unsigned)w != 9);
}
static void* cond_waiter(void* u) {
  pthread_mutex_lock(&mu);
  while (gx == 0) pthread_cond_wait(&cv, &mu);
  int v = gx;
  pthread_mutex_unlock(&mu);
  plait_assert(v != 3);
  return u;
}
PROGRAM(condition_variable) {  // x = 1..4; classes 99
  int x = IN(1, 4, "x");
  start(0, cond_waiter, 0);
  pthread_mutex_lock(&mu);
  gx = x;
  pthread_cond_signal(&cv);
  pthread_mutex_unlock(&mu);
  wait_for(1);
}
static void* spin_flag(void* u) {
  while (!atomic_load(&ay)) {
  }
  plait_assert(gx != 3);
  return u;
}
PROGRAM(spin_on_flag) {  // x = 0..4; classes 99
  gx = IN(0, 4, "x");
  start(0, spin_flag, 0);
  atomic_store(&ay, 1);
  wait_for(1);
}
static void* spin_value(void* u) {
  while (atomic_load(&ay) != gx) {
  }
  plait_assert(gx != 3);
  return u;
}
PROGRAM(spin_until_input) {  // x = 1..3; classes 99
  gx = IN(1, 3, "x");
  start(0, spin_value, 0);
  for (int k = 1; k <= gx; ++k) atomic_store(&ay, k);
  wait_for(1);
}
static void* spinlock_user(void* u) {
  int e = 0;
  while (!atomic_compare_exchange_strong(&ay, &e, 1)) e = 0;
  gtab[0] += gx;
  atomic_store(&ay, 0);
  return u;
}
PROGRAM(spinlock_and_input) {  // x = 0..3; classes 99
  gx = IN(0, 3, "x");
  start(0, spinlock_user, 0);
  start(1, spinlock_user, 0);
  wait_for(2);
  plait_assert(gtab[0] != 4);
}
static void* deref(void* u) {
  int* p = gx == 3 ? 0 : &gy;
  *p = 1;
  return u;
}
PROGRAM(null_by_input) {  // x = 0..4; classes 99
  gx = IN(0, 4, "x");
  start(0, deref, 0);
  wait_for(1);
}
static void* freer(void* u) {
  if (gx > 2) free(u);
  return 0;
}
PROGRAM(double_free_by_input) {  // x = 0..4; classes 99
  gx = IN(0, 4, "x");
  void* p = malloc(8);
  start(0, freer, p);
  start(1, freer, p);
  wait_for(2);
  if (gx <= 2) free(p);
}
static void* heap_writer(void* u) {
  int* a = u;
  a[gx] = 1;
  return 0;
}
PROGRAM(heap_overflow_by_input) {  // x = 0..4; classes 99
  gx = IN(0, 4, "x");
  int* p = calloc(3, sizeof *p);
  start(0, heap_writer, p);
  wait_for(1);
  plait_assert(p[1] == 0);
  free(p);
}
static void* divider(void* u) {
  int d = atomic_load(&ax);
  atomic_store(&ay, 12 / d);
  return u;
}
PROGRAM(division_by_shared) {  // x = -2..2; classes 99
  atomic_store(&ax, 1);
  int x = IN(-2, 2, "x");
  start(0, divider, 0);
  atomic_store(&ax, x);
  wait_for(1);
  plait_assert(atomic_load(&ay) != -12);
}
static void* half_writer(void* u) {
  atomic_store_explicit((_Atomic short*)&ax + 1, (short)gx, memory_order_relaxed);
  return u;
}
PROGRAM(mixed_sizes) {  // x = -2..2; classes 99
  gx = IN(-2, 2, "x");
  start(0, half_writer, 0);
  atomic_store(&ax, 0x10005);
  int v = atomic_load(&ax);
  wait_for(1);
  plait_assert(v != (int)0xffff0005);
  plait_assert(atomic_load(&ax) != 0x20005);
  plait_assert((short)atomic_load(&ax) == 5);
}
static void* copy_bytes(void* u) {
  int v = gx;
  unsigned char b[4];
  memcpy(b, &v, 4);
  memmove(b + 1, b, 3);
  int w;
  memcpy(&w, b, 4);
  atomic_store(&ax, w);
  return u;
}
PROGRAM(memmove_of_input) {  // x = 0..3; y = 0, 256; classes 99
  gx = IN(0, 3, "x") + IN(0, 256, "y");
  start(0, copy_bytes, 0);
  wait_for(1);
  plait_assert(atomic_load(&ax) != 0x00010202);
  plait_assert(atomic_load(&ax) != 0x202);
}
static void* memset_by_input(void* u) {
  memset(gtab, gx, 8);
  return u;
}
PROGRAM(memset_value_shared) {  // x = 0..3; classes 99
  gx = IN(0, 3, "x");
  start(0, memset_by_input, 0);
  wait_for(1);
  plait_assert(gtab[1] != 0x02020202);
}
static void* memset_size(void* u) {
  memset(gtab, 1, (size_t)gx);
  return u;
}
PROGRAM(memset_size_shared) {  // x = 0, 4, 6, 9; classes 99
  gx = IN(0, 9, "x");
  start(0, memset_size, 0);
  wait_for(1);
  plait_assert(gtab[1] != 0x0101);
}
static void* shifter(void* u) {
  atomic_store(&ax, 1 << (gx & 31));
  atomic_store(&ay, (int)(0x80000000u >> (gx & 31)));
  return u;
}
PROGRAM(shifts_in_threads) {  // x = 0, 16, 17, 31; classes 99
  gx = IN(0, 31, "x");
  start(0, shifter, 0);
  wait_for(1);
  plait_assert(atomic_load(&ax) != 1 << 17);
  plait_assert(atomic_load(&ax) != atomic_load(&ay) || gx == 40);
  plait_assert(atomic_load(&ay) != 1);
}
static void* signed_unsigned(void* u) {
  unsigned v = (unsigned)gx;
  if (v > 10u) atomic_store(&ax, 1);
  if (gx > 10) atomic_store(&ay, 1);
  return u;
}
PROGRAM(signed_and_unsigned) {  // x = -3, 0, 10, 11; classes 99
  gx = IN(-3, 12, "x");
  start(0, signed_unsigned, 0);
  wait_for(1);
  plait_assert(atomic_load(&ax) == atomic_load(&ay));
}
static void* trylocker(void* u) {
  if (pthread_mutex_trylock(&mu) == 0) {
    gy = gx;
    pthread_mutex_unlock(&mu);
  } else
    plait_assert(gx != 2);
  return u;
}
PROGRAM(trylock_and_input) {  // x = 0..3; classes 99
  gx = IN(0, 3, "x");
  start(0, trylocker, 0);
  start(1, trylocker, 0);
  wait_for(2);
  plait_assert(gy != 3);
}
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static void* rw_reader(void* u) {
  pthread_rwlock_rdlock(&rw);
  int a = gy, b = gtab[0];
  pthread_rwlock_unlock(&rw);
  plait_assert(a == b);
  plait_assert(a != 2);
  return u;
}
PROGRAM(rwlock_and_input) {  // x = 0..3; classes 99
  int x = IN(0, 3, "x");
  start(0, rw_reader, 0);
  pthread_rwlock_wrlock(&rw);
  gy = x;
  gtab[0] = x;
  pthread_rwlock_unlock(&rw);
  wait_for(1);
}
static void* result_thread(void* u) { return (void*)(long)(atomic_load(&ax) + gx); }
PROGRAM(thread_result_of_input) {  // x = 0..3; classes 99
  gx = IN(0, 3, "x");
  start(0, result_thread, 0);
  atomic_store(&ax, 2);
  void* r;
  pthread_join(threads[0], &r);
  plait_assert((long)r != 4);
}
static int* _Atomic ap;
static void* pointer_store(void* u) {
  atomic_store(&ap, &gtab[gx]);
  return u;
}
PROGRAM(pointer_by_input) {  // x = 0..7; classes 99
  gx = IN(0, 7, "x");
  gtab[6] = 4;
  start(0, pointer_store, 0);
  int* p = atomic_load(&ap);
  wait_for(1);
  if (p) plait_assert(*p != 4);
}
static int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
static void* recursive(void* u) {
  atomic_store(&ax, fact(gx));
  return u;
}
PROGRAM(recursion_in_thread) {  // x = 0..5; classes 99
  gx = IN(0, 5, "x");
  start(0, recursive, 0);
  wait_for(1);
  plait_assert(atomic_load(&ax) != 24);
}
static int add1(int v) { return v + 1; }
static int dbl(int v) { return v * 2; }
static void* call_by_pointer(void* u) {
  int (*f[2])(int) = {add1, dbl};
  atomic_store(&ax, f[gx & 1](gx));
  return u;
}
PROGRAM(function_pointers_in_thread) {  // x = 0..5; classes 99
  gx = IN(0, 5, "x");
  start(0, call_by_pointer, 0);
  wait_for(1);
  plait_assert(atomic_load(&ax) != 6);
}
static void* starter(void* u) {
  pthread_t t;
  if (gx > 2) {
    pthread_create(&t, 0, t_none, 0);
    pthread_join(t, 0);
    atomic_store(&ax, 1);
  }
  return u;
}
PROGRAM(thread_started_by_input) {  // x = 0..4; classes 99
  gx = IN(0, 4, "x");
  start(0, starter, 0);
  wait_for(1);
  plait_assert(!(atomic_load(&ax) && gx == 4));
}
static void* deadlocker(void* u) {
  static pthread_mutex_t m2 = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_t* a = (gx == 3) == !u ? &mu : &m2;
  pthread_mutex_t* b = a == &mu ? &m2 : &mu;
  if (gx < 3) {
    a = &mu;
    b = &m2;
  }
  pthread_mutex_lock(a);
  pthread_mutex_lock(b);
  pthread_mutex_unlock(b);
  pthread_mutex_unlock(a);
  return 0;
}
PROGRAM(deadlock_by_order) {  // x = 0..4; classes 99
  gx = IN(0, 4, "x");
  start(0, deadlocker, 0);
  start(1, deadlocker, "");
  wait_for(2);
}
static pthread_barrier_t bar;
static void* barrier_user(void* u) {
  atomic_fetch_add(&ax, gx);
  pthread_barrier_wait(&bar);
  plait_assert(atomic_load(&ax) != 4);
  return u;
}
PROGRAM(barrier_and_input) {  // x = 0..3; classes 99
  gx = IN(0, 3, "x");
  pthread_barrier_init(&bar, 0, 2);
  start(0, barrier_user, 0);
  start(1, barrier_user, 0);
  wait_for(2);
}
static void* relaxed_a(void* u) {
  atomic_store_explicit(&ax, gx, memory_order_relaxed);
  gtab[0] = atomic_load_explicit(&ay, memory_order_relaxed);
  return u;
}
static void* relaxed_b(void* u) {
  atomic_store_explicit(&ay, gx + 1, memory_order_relaxed);
  gtab[4] = atomic_load_explicit(&ax, memory_order_relaxed);
  return u;
}
PROGRAM(store_buffer_of_inputs) {  // x = 0..3; classes 99
  gx = IN(0, 3, "x");
  start(0, relaxed_a, 0);
  start(1, relaxed_b, 0);
  wait_for(2);
  plait_assert(gx != 2 || gtab[0] || gtab[4]);
  plait_assert(gtab[0] + gtab[4] != 7);
}
static void* select_max(void* u) {
  int a = atomic_load(&ax), b = gx;
  int m = a > b ? a : b;
  atomic_store(&ay, m);
  return u;
}
PROGRAM(select_of_shared_and_input) {  // x = 0..4; classes 99
  gx = IN(0, 4, "x");
  start(0, select_max, 0);
  atomic_store(&ax, 2);
  wait_for(1);
  plait_assert(atomic_load(&ay) != 1);
  plait_assert(atomic_load(&ay) >= gx);
}
PROGRAM(rotate_and_swap) {  // nondet_uint = 0, 1, 2147483648, 305419896; classes 3
  unsigned v = __VERIFIER_nondet_uint();
  plait_assert(__builtin_bswap32(v) != 0x78563412);
  plait_assert(__builtin_rotateleft32(v, 1) != 1);
}
PROGRAM(bit_counts) {  // x = 0, 1, 7, 8, 14; classes 6
  unsigned v = (unsigned)IN(0, 15, "x");
  plait_assert(__builtin_popcount(v) != 3);
  plait_assert(v == 0 || __builtin_ctz(v) != 3);
}
PROGRAM(realloc_by_input) {  // n = 1..4; classes 99
  int n = IN(1, 4, "n");
  char* p = malloc((size_t)n);
  p = realloc(p, (size_t)n * 2);
  p[3] = 1;
  free(p);
}

PROGRAM(absolute_any) {  // nondet_int = -8, -7, 0, 7, 9; classes 3
  int x = __VERIFIER_nondet_int();
  plait_assert(abs(x) != 7);
}
PROGRAM(bits_any) {  // nondet_uint = 0, 8, 2147483647, 12; classes 6
  unsigned x = __VERIFIER_nondet_uint();
  plait_assert(__builtin_popcount(x) != 31);
  if (x) plait_assert(__builtin_clz(x) != 28 || __builtin_ctz(x) != 2);
}
PROGRAM(products_any) {  // nondet_long = 0, 3, 3074457345618258603, -3074457345618258603; classes 8
  long x = __VERIFIER_nondet_long(), r;
  if (__builtin_smull_overflow(x, 3, &r)) plait_assert(x != 3074457345618258603 && x != -3074457345618258603);
}
PROGRAM(unsigned_products_any) {  // nondet_ulong = 0, 5, 3689348814741910323, 3689348814741910324; classes 8
  unsigned long x = __VERIFIER_nondet_ulong(), r;
  bool o = __builtin_umull_overflow(x, 5, &r);
  plait_assert(o == (x > ULONG_MAX / 5));
  plait_assert(!o || x != 3689348814741910324ul);
}
PROGRAM(network_order) {  // nondet_ushort = 0, 513, 258; classes 3
  unsigned short x = __VERIFIER_nondet_ushort();
  plait_assert(__builtin_bswap16(x) != 0x0102);
}
PROGRAM(funnel) {  // nondet_u64 = 1, 72057594037927936, 3; classes 8
  unsigned long long x = __VERIFIER_nondet_u64();
  plait_assert(__builtin_rotateright64(x, 9) != 1ull << 47);
  plait_assert(__builtin_rotateleft8((unsigned char)x, 3) != 24);
}

// Small programs with inputs. Behind PROGRAM(name) stands, for brute force, which values each input gets, and how many
// classes of inputs there may be at most: more, and something was given values that could have been followed.
#include "inputs.h"

// --- all types of SV-COMP

PROGRAM(of_bool) {  // nondet_bool = 0, 1; classes 2
  bool v = __VERIFIER_nondet_bool();
  plait_assert(!v);
}
PROGRAM(of_bool_as_number) {  // nondet_bool = 0, 1; classes 2
  int v = 3 + __VERIFIER_nondet_bool();
  plait_assert(v != 4);
  plait_assert(v == 3 || v == 4);
}
PROGRAM(of_char) {  // nondet_char = -128, -1, 0, 65, 127; classes 3
  char v = __VERIFIER_nondet_char();
  plait_assert(v != 'A');
  plait_assert(v >= 0);
}
PROGRAM(of_schar) {  // nondet_schar = -128, -3, 0, 127; classes 3
  signed char v = __VERIFIER_nondet_schar();
  plait_assert(v * 2 != -6);
  plait_assert(v < 128);
  plait_assert(v != -128);
}
PROGRAM(of_uchar) {  // nondet_uchar = 0, 199, 200, 255; classes 3
  unsigned char v = __VERIFIER_nondet_uchar();
  plait_assert(v != 200);
  plait_assert((unsigned char)(v + 1) != 0);
  plait_assert(v >= 0);
}
PROGRAM(of_short) {  // nondet_short = -32768, -1, 0, 300; classes 3
  short v = __VERIFIER_nondet_short();
  plait_assert(v != 300);
  plait_assert(v != SHRT_MIN);
}
PROGRAM(of_ushort) {  // nondet_ushort = 0, 40000, 65535; classes 3
  unsigned short v = __VERIFIER_nondet_ushort();
  plait_assert(v != 40000);
  plait_assert((short)v != -1);
}
PROGRAM(of_int) {  // nondet_int = -2147483648, 0, 123456; classes 4
  int v = __VERIFIER_nondet_int();
  plait_assert(v != INT_MIN);
  plait_assert(v * 2 != 246912 || v < 0);
}
PROGRAM(of_uint) {  // nondet_uint = 0, 7, 4294967295; classes 3
  unsigned v = __VERIFIER_nondet_uint();
  plait_assert(v != 4294967295u);
  plait_assert(v != 7);
}
PROGRAM(of_long) {  // nondet_long = -5000000000, 0, 77; classes 3
  long v = __VERIFIER_nondet_long();
  plait_assert(v != -5000000000l);
  plait_assert(v != 77);
}
PROGRAM(of_ulong) {  // nondet_ulong = 0, 18446744073709551615; classes 2
  unsigned long v = __VERIFIER_nondet_ulong();
  plait_assert(v + 1 != 0);
}
PROGRAM(of_longlong) {  // nondet_longlong = 0, 1311768467463790320; classes 2
  long long v = __VERIFIER_nondet_longlong();
  plait_assert(v != 0x123456789abcdef0ll);
}
PROGRAM(of_ulonglong) {  // nondet_ulonglong = 0, 12297829382473034411; classes 2
  unsigned long long v = __VERIFIER_nondet_ulonglong();
  plait_assert(v * 3 != 1);
}
PROGRAM(of_size_t) {  // nondet_size_t = 0, 41, 9223372036854775808; classes 3
  size_t v = __VERIFIER_nondet_size_t();
  plait_assert(v <= SIZE_MAX / 2);
  plait_assert(v != 41);
}
PROGRAM(of_kernel_types) {  // nondet_u8 = 0, 3; nondet_u16 = 0, 5; nondet_u32 = 0, 7; nondet_u64 = 0, 9; classes 5
  bool all = __VERIFIER_nondet_u8() == 3 && __VERIFIER_nondet_u16() == 5 && __VERIFIER_nondet_u32() == 7 &&
             __VERIFIER_nondet_u64() == 9;
  plait_assert(!all);
}
PROGRAM(of_klee) {  // x = 0, 1, 9; n = 2, 3; k = 0, 5; classes 8
  short x;
  klee_make_symbolic(&x, sizeof x, "x");
  int n = klee_range(2, 4, "n"), k = klee_int("k");
  klee_assume(x >= 0);
  plait_assert(x != 9 || n != 3 || k != 5);
}

// --- conversions and arithmetic

PROGRAM(truncation) {  // x = 0, 255, 256, 511, 600; classes 3
  int x = IN(0, 600, "x");
  plait_assert((unsigned char)x != 255 || x > 300);
}
PROGRAM(sign_extension) {  // x = -4..4; classes 3
  signed char x = (signed char)IN(-4, 4, "x");
  long wide = x;
  unsigned u = (unsigned)x;
  plait_assert(wide != -3);
  plait_assert(u != 0xfffffffeu);
}
PROGRAM(mixed_signs) {  // x = -2..2; classes 2
  int x = IN(-2, 2, "x");
  plait_assert((unsigned)x < 1000u);
}
PROGRAM(shift_left) {  // x = 0..31; classes 3
  int x = IN(0, 31, "x");
  plait_assert((1u << x) != 1024u);
}
PROGRAM(shift_right_arithmetic) {  // x = -8..8; classes 3
  int x = IN(-8, 8, "x");
  plait_assert((x >> 1) != -3);
}
PROGRAM(shift_right_logical) {  // x = -3..3; classes 3
  unsigned x = (unsigned)IN(-3, 3, "x");
  plait_assert((x >> 31) == 0 || x != 0xfffffffeu);
}
PROGRAM(shift_by_too_much) {  // x = 30..34; classes 8
  long x = IN(30, 34, "x");
  plait_assert((1l << x) != 1l << 33);
}
PROGRAM(division) {  // x = 0..20; y = 1..3; classes 10
  int x = IN(0, 20, "x"), y = IN(1, 3, "y");
  plait_assert(x / y != 6);
  plait_assert(x % 7 != 5 || y != 2);
}
PROGRAM(division_by_zero) {  // x = 0..3; classes 2
  volatile int y = 12 / IN(0, 3, "x");
  (void)y;
}
PROGRAM(signed_division) {  // x = -9..9; classes 6
  int x = IN(-9, 9, "x");
  plait_assert(x / 4 != -2);
  plait_assert(x % 4 != -3);
}
PROGRAM(division_of_the_least) {  // x = -2147483648, -2147483647, 5; y = 1, 2; classes 6
  int x = IN(INT_MIN, 5, "x"), y = IN(1, 2, "y");
  plait_assert(x / -y != -5);
  plait_assert(x / y != INT_MIN / 2);
}
PROGRAM(products) {  // x = 0..15; y = 0..15; classes 5
  int x = IN(0, 15, "x"), y = IN(0, 15, "y");
  plait_assert(x * y != 143);
}
PROGRAM(bits) {  // x = 0..15; classes 5
  unsigned x = (unsigned)IN(0, 15, "x");
  plait_assert(((x ^ 5) & ~(x | 8)) != 4 || x != 3);
  plait_assert((x & 9) != 9);
}
PROGRAM(overflow_add) {  // nondet_int = 0, 2147483647, -2147483648; classes 3
  int x = __VERIFIER_nondet_int(), y;
  plait_assert(!__builtin_add_overflow(x, 1, &y));
  plait_assert(!__builtin_sub_overflow(x, 1, &y));
}
PROGRAM(overflow_unsigned) {  // nondet_uint = 0, 5, 4294967295; classes 3
  unsigned x = __VERIFIER_nondet_uint(), y;
  plait_assert(!__builtin_add_overflow(x, 1u, &y));
  plait_assert(!__builtin_sub_overflow(x, 1u, &y));
}
PROGRAM(absolute) {  // x = -9..9; classes 19
  int x = IN(-9, 9, "x");
  plait_assert(abs(x) != 7);
}
PROGRAM(counting_bits) {  // x = 0..31; classes 32
  unsigned x = (unsigned)IN(0, 31, "x");
  plait_assert(__builtin_popcount(x) != 5);
  plait_assert(x == 0 || __builtin_ctz(x) != 4);
  plait_assert(x == 0 || __builtin_clz(x) != 29 || x != 7);
}
PROGRAM(rotating) {  // nondet_uint = 0, 2147483649, 3; classes 3
  unsigned x = __VERIFIER_nondet_uint();
  unsigned y = (x << 1) | (x >> 31);
  plait_assert(y != 3);
}
PROGRAM(choosing) {  // x = 0..9; y = 0..9; classes 8
  int x = IN(0, 9, "x"), y = IN(0, 9, "y");
  int least = x < y ? x : y, most = x < y ? y : x;
  plait_assert(least + 2 * most != 25 || x >= y);
}
PROGRAM(wide_sum) {  // x = 0..7; classes 8
  __int128 y = (__int128)IN(0, 7, "x") << 70;
  y += 5;
  plait_assert(y != ((__int128)3 << 70) + 5);
}

// --- control

PROGRAM(switching) {  // x = 0..9; classes 6
  int x = IN(0, 9, "x"), y = 0;
  switch (x) {
    case 1: y = 4; break;
    case 3:
    case 5: y = 2; break;
    case 7: y = 9; break;
    default: y = 1;
  }
  plait_assert(y != 9);
  plait_assert(y != 2 || x != 5);
}
PROGRAM(loop_bound) {  // n = 0..6; classes 7
  int n = IN(0, 6, "n"), sum = 0;
  for (int i = 0; i < n; ++i) sum += i;
  plait_assert(sum != 10);
}
PROGRAM(while_searching) {  // x = 0..20; classes 8
  int x = IN(0, 20, "x"), steps = 0;
  while (x > 1 && steps < 6) {
    x = x / 2;
    ++steps;
  }
  plait_assert(steps != 4);
}
PROGRAM(indexing) {  // i = 0..5; classes 6
  int row[6] = {1, 4, 1, 5, 9, 2};
  plait_assert(row[IN(0, 5, "i")] != 9);
}
PROGRAM(indexing_out_of_bounds) {  // i = 0..5; classes 6
  static int row[5];
  row[IN(0, 5, "i")] = 1;
}
PROGRAM(writing_by_index) {  // i = 0..3; x = 0..3; classes 12
  int row[4] = {0, 0, 0, 0};
  row[IN(0, 3, "i")] = IN(0, 3, "x");
  plait_assert(row[2] != 3);
}
static void be_calm(int v) { (void)v; }
static void be_strict(int v) { plait_assert(v); }
PROGRAM(by_function_pointer) {  // i = 0, 1; classes 2
  void (*table[2])(int) = {be_calm, be_strict};
  table[IN(0, 1, "i")](0);
}
PROGRAM(recursion) {  // n = 0..5; classes 6
  extern int factorial(int);
  plait_assert(factorial(IN(0, 5, "n")) != 24);
}
int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
PROGRAM(assuming) {  // x = 0..9; y = 0..9; classes 12
  int x = IN(0, 9, "x"), y = IN(0, 9, "y");
  plait_assume(x + y == 9);
  __VERIFIER_assume(x > y);
  plait_assert(x - y != 3);
}
PROGRAM(assuming_by_bits) {  // x = 0..9; classes 3
  int x = IN(0, 9, "x");
  klee_assume((x > 2) & (x < 6));
  plait_assert(x != 4);
}
PROGRAM(exit_code) {  // x = 0..3; classes 4
  int x = IN(0, 3, "x");
  if (x == 2) abort();
}

// --- memory

struct record {
  char a;
  short b;
  int c;
  long d;
};
static long total(struct record r) { return r.a + r.b + r.c + r.d; }
PROGRAM(struct_copies) {  // x = 0..9; classes 3
  struct record r = {1, (short)IN(0, 9, "x"), 3, 4}, q = r, s;
  s = q;
  plait_assert(s.b != 6);
}
PROGRAM(struct_by_value) {  // x = 0..9; classes 3
  struct record r = {1, 2, IN(0, 9, "x"), 4};
  plait_assert(total(r) != 15);
}
static struct record made(int x) {
  struct record r = {0, 0, x, x + 1};
  return r;
}
PROGRAM(large_struct_returned) {  // x = 0..9; classes 3
  plait_assert(made(IN(0, 9, "x")).d != 5);
}
struct two_ints {
  int x, y;
};
struct two_longs {
  long x, y;
};
struct three_shorts {
  short x, y, z;
};
__attribute__((noinline)) static struct two_ints two_ints(int x) { return (struct two_ints){x, x + 1}; }
__attribute__((noinline)) static struct two_longs two_longs(long x) { return (struct two_longs){x, x + 1}; }
__attribute__((noinline)) static struct three_shorts three_shorts(short x) { return (struct three_shorts){x, 2, 3}; }
PROGRAM(small_struct_returned) {  // x = 0..9; classes 4
  int x = IN(0, 9, "x");
  plait_assert(two_ints(x).y != 5);
}
PROGRAM(struct_in_two_registers) {  // x = 0..9; classes 10
  int x = IN(0, 9, "x");
  plait_assert(two_longs(x).y != 5);
}
PROGRAM(struct_of_shorts) {  // x = 0..9; classes 3
  short x = (short)IN(0, 9, "x");
  plait_assert(three_shorts(x).x != 5);
}
PROGRAM(copying_memory) {  // x = 0..9; classes 3
  int x = IN(0, 9, "x"), y;
  char bytes[sizeof x];
  memcpy(bytes, &x, sizeof x);
  memmove(&y, bytes, sizeof y);
  plait_assert(y != 8);
}
PROGRAM(copying_a_part) {  // nondet_uint = 0, 4660, 43981; classes 3
  unsigned x = __VERIFIER_nondet_uint();
  unsigned short low;
  memcpy(&low, &x, 2);
  plait_assert(low != 0x1234);
}
PROGRAM(setting_memory) {  // x = 0..3; classes 4
  char bytes[8];
  memset(bytes, IN(0, 3, "x"), sizeof bytes);
  plait_assert(bytes[5] != 2);
}
PROGRAM(comparing_memory) {  // x = 0..4; classes 8
  char a[2] = {1, (char)IN(0, 4, "x")}, b[2] = {1, 3};
  plait_assert(memcmp(a, b, 2) != 0);
}
PROGRAM(unions) {  // nondet_uint = 0, 66051, 50462976; classes 4
  union {
    unsigned whole;
    unsigned char part[4];
  } u;
  u.whole = __VERIFIER_nondet_uint();
  plait_assert(u.part[0] != 3 || u.part[1] != 2 || u.part[2] != 1);
}
PROGRAM(bytes_to_word) {  // x = 0..3; y = 0..3; classes 5
  union {
    unsigned short whole;
    unsigned char part[2];
  } u;
  u.part[0] = (unsigned char)IN(0, 3, "x");
  u.part[1] = (unsigned char)IN(0, 3, "y");
  plait_assert(u.whole != 0x0201);
}
PROGRAM(bit_fields) {  // x = 0..20; y = -4..4; classes 6
  struct {
    unsigned a : 3;
    int b : 3;
    unsigned c : 1;
  } s = {(unsigned)IN(0, 20, "x") & 7, IN(-4, 4, "y") & 7, 1};
  plait_assert(s.a != 5 || s.c != 1);
  plait_assert(s.b != -3);
}
PROGRAM(text) {  // text[0] = 0, 104; text[1] = 0, 105; text[2] = 0, 7; classes 8
  char text[3];
  for (int i = 0; i < 3; ++i) {
    char name[] = "text[0]";
    name[5] = (char)('0' + i);
    plait_input(&text[i], 1, name);
  }
  plait_assume(text[2] == 0);
  plait_assert(strcmp(text, "hi") != 0);
}
PROGRAM(numbers_in_texts) {  // text[0] = 0, 43, 45, 50, 120; text[1] = 0, 49; classes 110
  char text[3] = {0, 0, 0};
  plait_input(&text[0], 1, "text[0]");
  plait_input(&text[1], 1, "text[1]");
  plait_assert(atoi(text) != 21);
  plait_assert(strtol(text, 0, 10) != -1);
}
PROGRAM(searching_texts) {  // text[0] = 0, 97, 98; text[1] = 0, 97, 98; classes 12
  char text[3] = {0, 0, 0}, copy[3];
  plait_input(&text[0], 1, "text[0]");
  plait_input(&text[1], 1, "text[1]");
  strcpy(copy, text);
  plait_assert(strchr(copy, 'b') != copy + 1);
  plait_assert(strlen(copy) != 2 || strcmp(copy, "aa") <= 0);
}
PROGRAM(heap) {  // x = 1..4; classes 8
  int n = IN(1, 4, "x");
  char* block = malloc((size_t)n);
  block[2] = 1;
  free(block);
}
PROGRAM(pointers_by_input) {  // x = 0..3; classes 3
  int a = 1, b = 2;
  int* p = IN(0, 3, "x") == 2 ? &a : &b;
  plait_assert(*p != 1);
}
PROGRAM(input_of_an_object) {  // x[0] = 0, 5; x[8] = 0, 7; classes 3
  struct record r;
  plait_input(&r, sizeof r, "x");
  plait_assert(r.d != 7);
}
PROGRAM(floats) {  // x = 0..5; classes 6
  float f = (float)IN(0, 5, "x");
  plait_assert(f * 1.5f != 6.0f);
}
PROGRAM(doubles_and_back) {  // x = 0..5; classes 6
  double d = IN(0, 5, "x") / 2.0;
  plait_assert((int)d != 2);
}

// --- threads

static _Atomic int shared, other;
static int plain;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* store_argument(void* argument) {
  atomic_store(&shared, (int)(long)argument);
  return 0;
}
PROGRAM(argument_of_a_thread) {  // x = 0..3; classes 4
  start(0, store_argument, (void*)(long)IN(0, 3, "x"));
  wait_for(1);
  plait_assert(atomic_load(&shared) != 2);
}
static void* store_pointed(void* argument) {
  atomic_store(&shared, *(int*)argument);
  return 0;
}
PROGRAM(pointer_to_a_thread) {  // x = 0..9; classes 3
  int x = IN(0, 9, "x");
  start(0, store_pointed, &x);
  wait_for(1);
  plait_assert(atomic_load(&shared) != 2);
}
static void* add_one(void* argument) {
  pthread_mutex_lock(&mutex);
  plain = plain + 1;
  pthread_mutex_unlock(&mutex);
  return argument;
}
PROGRAM(under_a_mutex) {  // x = 0..9; classes 2
  plain = IN(0, 9, "x");
  start(0, add_one, 0);
  start(1, add_one, 0);
  wait_for(2);
  plait_assert(plain != 7);
}
static void* add_twice(void* argument) {
  atomic_fetch_add(&shared, atomic_load(&other));
  return argument;
}
PROGRAM(atomic_additions) {  // x = 0..4; classes 3
  atomic_store(&other, IN(0, 4, "x"));
  start(0, add_twice, 0);
  start(1, add_twice, 0);
  wait_for(2);
  plait_assert(atomic_load(&shared) != 6);
}
static void* take_and_store(void* argument) {
  atomic_store(&shared, IN(0, 3, "t"));
  return argument;
}
PROGRAM(inputs_of_threads) {  // t = 0..3; classes 7
  start(0, take_and_store, 0);
  int seen = atomic_load(&shared);
  wait_for(1);
  plait_assert(seen != 3);
}
static void* exchange(void* argument) {
  int expected = 2;
  if (atomic_compare_exchange_strong(&shared, &expected, 9)) atomic_store(&other, 1);
  return argument;
}
PROGRAM(compare_and_swap) {  // x = 0..4; classes 4
  atomic_store(&shared, IN(0, 4, "x"));
  start(0, exchange, 0);
  start(1, exchange, 0);
  wait_for(2);
  plait_assert(atomic_load(&shared) != 9);
}
static void* take_greatest(void* argument) {
  atomic_fetch_xor(&shared, 3);
  int old = atomic_exchange(&other, 5);
  plait_assert(old != 4);
  return argument;
}
PROGRAM(exchanges) {  // x = 0..5; classes 4
  int x = IN(0, 5, "x");
  atomic_store(&shared, x);
  atomic_store(&other, x);
  start(0, take_greatest, 0);
  start(1, take_greatest, 0);
  wait_for(2);
  plait_assert(atomic_load(&shared) != 1);
}
static int queue[4], head, tail;
static void* consume(void* argument) {
  int sum = 0;
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&mutex);
    if (head != tail) sum += queue[head++];
    pthread_mutex_unlock(&mutex);
  }
  plait_assert(sum != 7);
  return argument;
}
PROGRAM(through_a_queue) {  // x = 0..4; y = 0..4; classes 6
  int x = IN(0, 4, "x"), y = IN(0, 4, "y");
  start(0, consume, 0);
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&mutex);
    queue[tail++] = i ? y : x;
    pthread_mutex_unlock(&mutex);
  }
  wait_for(1);
}
static void* lose_update(void* argument) {
  int seen = atomic_load(&shared);
  atomic_store(&shared, seen + 1);
  return argument;
}
PROGRAM(lost_update) {  // x = 0..4; classes 6
  int x = IN(0, 4, "x");
  start(0, lose_update, 0);
  start(1, lose_update, 0);
  wait_for(2);
  plait_assert(atomic_load(&shared) + x != 4);
}
static void* lock_both(void* argument) {
  extern pthread_mutex_t second;
  pthread_mutex_lock(&second);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&second);
  return argument;
}
pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
PROGRAM(deadlock_by_input) {  // x = 0..3; classes 2
  start(0, lock_both, 0);
  pthread_mutex_t* first = IN(0, 3, "x") == 3 ? &mutex : &second;
  pthread_mutex_lock(first);
  pthread_mutex_lock(first == &mutex ? &second : &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&second);
  wait_for(1);
}
static void* write_plainly(void* argument) {
  plain = 1;
  return argument;
}
PROGRAM(race_by_input) {  // x = 0..3; classes 2
  int x = IN(0, 3, "x");
  start(0, write_plainly, 0);
  if (x == 1) plain = 2;
  wait_for(1);
}
static _Atomic unsigned char narrow;
static void* store_narrow(void* argument) {
  atomic_store(&narrow, (unsigned char)*(int*)argument);
  return 0;
}
PROGRAM(narrow_atomics) {  // x = 250..262; classes 4
  int x = IN(250, 262, "x");
  start(0, store_narrow, &x);
  unsigned char seen = atomic_load(&narrow);
  wait_for(1);
  plait_assert(seen != 4 || x < 256);
}
static _Thread_local int own;
static void* use_own(void* argument) {
  own = *(int*)argument;
  plait_assert(own != 3);
  return 0;
}
PROGRAM(thread_locals) {  // x = 0..5; classes 2
  int x = IN(0, 5, "x");
  own = x + 1;
  start(0, use_own, &x);
  wait_for(1);
  plait_assert(own == x + 1);
}

// Every kind of access, on globals, so that each goes through a hook; prints what it finds.
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char c = -3;
unsigned char uc = 250;
short s = -300;
unsigned short us = 65000;
int i = -70000;
long l = 1L << 40;
float f = 1.5f;
double d = 2.25;
long double ld = 3.125L;
__int128 wide = ((__int128)7 << 70) + 5;
bool b = true;
void* p = &c;
volatile int v = 4;
volatile long double vld = 0.5L;
_BitInt(17) odd = 1000;
_Complex double z = 1.0 + 2.0i;
struct bits {
  unsigned a : 3, b : 7, c : 22;
} bits = {1, 2, 3};
struct small {
  char x, y, z;
} small = {1, 2, 3}, small2;
struct big {
  long a[9];
  char t;
} big = {{1, 2, 3}, 4}, big2;
union u {
  int i;
  char c[4];
} u;
_Atomic int ai;
_Atomic uint8_t a8;
_Atomic uint16_t a16;
_Atomic long al;
_Atomic float af;
_Atomic double ad;
_Atomic(void*) ap;
_Alignas(16) __int128 a128;
struct small returned(int k) {
  struct small r = {(char)k, (char)(k + 1), (char)(k + 2)};
  return r;
}
__attribute__((noinline)) long by_value(struct big x, int k) {
  x.a[2] += k;
  return x.a[0] + x.a[2] + x.t;
}
__attribute__((noinline)) long many(int n, ...) {
  va_list list, again;
  va_start(list, n);
  va_copy(again, list);
  long sum = 0;
  for (int k = 0; k < n; k++) sum += va_arg(list, long);
  sum += (long)va_arg(again, long);
  va_end(list);
  va_end(again);
  return sum;
}
__attribute__((noinline)) void through(int* x, int* y) {
  *x += *y;
  *y = *x * 2;
}

int main(void) {
  c += 5;
  uc += 10;
  s -= 5;
  us += 1000;
  i *= 2;
  l += i;
  f *= 2;
  d += f;
  ld += d;
  wide += 3;
  b = !b;
  v += 3;
  vld += 1;
  odd += 24;
  z *= z;
  printf("%d %u %d %u %d %ld %g %g %Lg %d %d %Lg %d\n", c, uc, s, us, i, l, f, d, ld, b, v, vld, (int)odd);
  printf("%llx %llx %g %g %d\n", (unsigned long long)(wide >> 64), (unsigned long long)wide, __real__ z, __imag__ z,
         p == &c);
  bits.a++;
  bits.b = 99;
  bits.c -= 2;
  printf("%u %u %u\n", bits.a, bits.b, bits.c);
  small2 = small;
  small2.y = 9;
  small = returned(40);
  big2 = big;
  big2.a[8] = 77;
  struct big local = big2;
  local.a[0]++;
  big = local;
  printf("%d %d %d %d %ld %ld\n", small.x, small.z, small2.y, small2.z, big.a[0], big.a[8]);
  u.i = 0x04030201;
  u.c[2] = 9;
  printf("%x %ld %ld\n", u.i, by_value(big, 5), by_value(local, 6));
  int x = 3, y = 4;
  through(&x, &y);
  through(&i, &x);
  printf("%d %d %d %ld\n", x, y, i, many(3, 1L, 2L, l));

  ai = 5;
  ai += 3;
  ai |= 16;
  ai ^= 1;
  ai &= 31;
  int e = 25;
  bool ok = atomic_compare_exchange_strong(&ai, &e, 100);
  bool no = atomic_compare_exchange_strong(&ai, &e, 7);
  printf("%d %d %d %d %d\n", ai, ok, no, e, atomic_exchange(&ai, -1));
  a8 = 250;
  a8 += 10;
  a16 = 65535;
  a16++;
  al = 1L << 50;
  al -= 7;
  af = 1.5f;
  af += 2;
  ad = 1;
  ad -= 0.25;
  printf("%d %d %ld %g %g\n", a8, a16, al, af, ad);
  printf("%d %d %d\n", __atomic_fetch_min(&i, -1000000, 5), __atomic_fetch_max(&i, 12, 5),
         __atomic_fetch_nand(&i, 6, 5));
  printf("%d %d\n", __atomic_load_n(&i, 5), __atomic_fetch_max((unsigned*)&i, 3u, 5) > 5);
  void* none = NULL;
  ok = atomic_compare_exchange_strong(&ap, &none, p);
  printf("%d %d\n", ok, ap == p);
  __atomic_store_n(&a128, wide, 5);
  __atomic_fetch_add(&a128, (__int128)1 << 65, 5);
  __int128 want = a128;
  ok = __atomic_compare_exchange_n(&a128, &want, want + 1, 0, 5, 5);
  atomic_thread_fence(memory_order_seq_cst);
  printf("%d %llx %llx\n", ok, (unsigned long long)(__atomic_load_n(&a128, 5) >> 64), (unsigned long long)a128);

  char* text = malloc(32);
  strcpy(text, "hello");
  strcat(text, " world");
  memmove(text + 2, text, 6);
  text = realloc(text, 64);
  void (*release)(void*) = free;
  char* copy = strdup(text);
  int* zero = calloc(4, 4);
  printf("%s %zu %d %d %s\n", text, strlen(text), strcmp(text, copy), zero[3], strchr(copy, 'w'));
  release(text);
  free(copy);
  free(zero);
  char line[64];
  snprintf(line, sizeof line, "%d-%s", 42, "x");
  memset(line + 2, '.', 2);
  printf("%s\n", line);
  return 0;
}

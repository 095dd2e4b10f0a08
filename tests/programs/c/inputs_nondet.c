// SV-COMP's inputs of every type have one value: safe for these only.
// CHECK: verdict=safe
// INPUTS: fixed
// SELF-CHECK: off (one thread is enough)
#include <stdbool.h>
#include <stddef.h>

#define INPUT(name, type)                  \
  extern type __VERIFIER_nondet_##name(void); \
  static int take_##name(void) { return __VERIFIER_nondet_##name() == (type)0; }
#define INPUTS(use)                                                                                                      \
  use(bool, bool) use(char, char) use(uchar, unsigned char) use(short, short) use(ushort, unsigned short) use(int, int)  \
  use(uint, unsigned) use(unsigned, unsigned) use(long, long) use(ulong, unsigned long) use(longlong, long long)         \
  use(ulonglong, unsigned long long) use(int128, __int128) use(uint128, unsigned __int128) use(float, float)             \
  use(double, double) use(size_t, size_t) use(loff_t, long long) use(sector_t, unsigned long) use(pthread_t, unsigned long) \
  use(u8, unsigned char) use(u16, unsigned short) use(u32, unsigned) use(u64, unsigned long long) use(pointer, void*)    \
  use(pchar, char*)
INPUTS(INPUT)
extern void __VERIFIER_nondet_memory(void*, size_t);
#define TAKE(name, type) +take_##name()

int main(void) {
  char block[600];
  __VERIFIER_nondet_memory(block, sizeof block);
  return 0 INPUTS(TAKE) + block[599] == 0;
}

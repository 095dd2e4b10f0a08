// Vector accesses; masked.ll has the masked ones, which C reaches only on machines with AVX-512.
#include <stdio.h>

typedef int v4 __attribute__((vector_size(16)));
typedef float v2 __attribute__((vector_size(8)));
typedef char v32 __attribute__((vector_size(32)));
v4 four = {1, 2, 3, 4};
v2 two = {1, 2};
v32 bytes;
int ints[8] = {10, 11, 12, 13, 14, 15, 16, 17}, stored[8], packed[8];

void masked(int* from, int* to, int* compressed, int* result);

int main(void) {
  four += four;
  two *= two;
  bytes[31] = 7;
  bytes += bytes;
  int result[12];
  masked(ints, stored, packed, result);
  for (int i = 0; i < 8; i++) printf("%d %d ", stored[i], packed[i]);
  for (int i = 0; i < 12; i++) printf("%d ", result[i]);
  printf("%d %g %d\n", four[3], two[1], bytes[31]);
}

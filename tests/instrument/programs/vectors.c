// Vector accesses, masked ones too; on machines without AVX-512 only that they compile.
#include <immintrin.h>
#include <stdio.h>

float a[32], r[32];
int ints[32], out[32];
typedef int v4 __attribute__((vector_size(16)));
typedef float v2 __attribute__((vector_size(8)));
v4 four = {1, 2, 3, 4};
v2 two = {1, 2};

__attribute__((target("avx512f,avx512vl"), noinline)) void masked(void) {
  __m512 x = _mm512_mask_loadu_ps(_mm512_set1_ps(-1), 0x5a5a, a);
  _mm512_mask_storeu_ps(r, 0x0ff0, x);
  __m512i g = _mm512_i32gather_epi32(_mm512_set1_epi32(3), ints, 4);
  _mm512_mask_compressstoreu_epi32(out, 0x1111, g);
  __m512i e = _mm512_maskz_expandloadu_epi32(0x0303, ints);
  _mm512_mask_storeu_epi32(out + 16, 0xffff, e);
}

int main(void) {
  for (int i = 0; i < 32; i++) a[i] = i, ints[i] = i * i, r[i] = -2, out[i] = -3;
  four += four;
  two *= two;
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) masked();
  for (int i = 0; i < 32; i++) printf("%g %d ", r[i], out[i]);
  printf("%d %g\n", four[3], two[1]);
}

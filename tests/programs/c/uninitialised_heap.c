// A fresh block decides; calloc gives it values.
// CHECK: verdict=bug kind=uninitialised-read line=@use
// CHECK-FIXED: verdict=safe
#include <stdlib.h>

int main(void) {
#ifdef FIXED
  int *p = calloc(4, sizeof *p);
#else
  int *p = malloc(4 * sizeof *p);
  p[0] = p[1] = p[3] = 0;
#endif
  const int sum = p[0] + p[1] + p[2];
  free(p);
  if (sum) return 1;  // @use
  return 0;
}

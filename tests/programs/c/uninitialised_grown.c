// realloc keeps the values of the old part only.
// CHECK: verdict=bug kind=uninitialised-read line=@use
// CHECK-FIXED: verdict=safe
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int *numbers = malloc(2 * sizeof *numbers);
  numbers[0] = numbers[1] = 1;
  numbers = realloc(numbers, 4 * sizeof *numbers);
#ifdef FIXED
  numbers[2] = numbers[3] = 1;
#endif
  int sum = 0;
  for (int i = 0; i < 4; ++i) sum += numbers[i];
  printf("%d\n", sum);  // @use
  free(numbers);
}

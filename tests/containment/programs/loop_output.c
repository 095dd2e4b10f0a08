// Output without end.
// EXPECT: inconclusive max-events
// OPTIONS: --max-events 300 --loop-seconds 1
#include "terrible.h"

static void deed(void) {
  for (;;) printf("again and again and again and again\n");
}

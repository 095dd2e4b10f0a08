// Becomes another program.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) {
  char* words[] = {"true", 0};
  execv("/bin/true", words);
}

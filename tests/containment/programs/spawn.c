// Spawns a process.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) {
  pid_t child;
  char* words[] = {"true", 0};
  posix_spawn(&child, "/bin/true", 0, 0, words, environ);
}

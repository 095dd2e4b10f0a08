// Another root.
// EXPECT: inconclusive unsupported
#include "terrible.h"

static void deed(void) { sink = chroot("/nowhere-at-all"); }

// The program's initial state, taken when main is about to run for the first time, and put back before every other run.
//
// Writable memory of the executable (all of it but the runtime's own) and blocks allocated before main: small pieces
// are copied; from kCopyLimit on, the pages are replaced by a private mapping of a saved copy, so that putting them
// back is one madvise whose cost depends on the pages that were written, whoever wrote them.
#pragma once
#include "runtime/fiber.h"

namespace plait::runtime {

/// A shared library is loaded that is neither the system's nor compiled with the wrapper.
extern bool foreign_libraries;

void take_snapshot();
void restore_snapshot();

/// Initial contents of the program's thread-local variables, for a thread that starts.
void reset_tls(Fiber& fiber);
/// Where those of this thread lie: a block for the executable, if it has any, and for each library of the program.
extern u32 tls_blocks;
Range tls_of(const Fiber& fiber, u32 number);

}  // namespace plait::runtime

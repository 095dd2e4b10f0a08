// Library functions that keep no state of their own which a thread's future could depend on, or none that the runtime
// does not know: it stands in for them, or their state lies in memory that it looks at. All others make a thread opaque
// (runtime/fingerprint.h).
#pragma once
#include "llvm/ADT/StringRef.h"

namespace plait::instrument {

bool keeps_no_state(llvm::StringRef function);

/// libc's or libstdc++'s own, whose memory is looked after (runtime/handed.h), or a test library's, which keeps to
/// itself: no warning is due.
bool is_system_function(llvm::StringRef function);

/// Does it read and write no memory of the program but what the runtime sees?
bool touches_nothing_unseen(llvm::StringRef function);

bool is_destructor(llvm::StringRef function);

/// Is this a library's function that reads and writes, unseen, what its pointer argument of this number points to?
bool is_handed_memory(llvm::StringRef function, unsigned pointer);

/// Does it only read what the pointer argument of this number points to?
bool only_reads(llvm::StringRef function, unsigned pointer);

/// Is this a library's function that may give first values, unseen, to what its pointer argument of this number points
/// to?
bool gives_values(llvm::StringRef function, unsigned pointer);

}  // namespace plait::instrument

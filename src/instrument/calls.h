// Calls: what leaves instrumented code is told where it was called from; by-value arguments are copied visibly.
#pragma once
#include <optional>

#include "instrument/hooks.h"
#include "instrument/private_memory.h"
#include "instrument/sites.h"
#include "llvm/IR/InstrTypes.h"

namespace plait::instrument {

struct CallWork {
  llvm::CallBase* call;
  llvm::Constant* site;
  bool set_site = false;                   // the callee is not instrumented, or unknown
  bool set_user_site = false;              // user code calls what may be a library's code
  bool keep_user_site = false;             // a library calls what may be user code, and goes on afterwards
  bool unknown = false;                    // may keep state that nobody sees, unless it turns out to be instrumented
  llvm::Constant* unknown_site = nullptr;  // what says so
  std::optional<Order> fence;              // inline assembly with a fence in it
  bool assembly = false;                   // inline assembly that may access memory
  llvm::SmallVector<unsigned, 1> handed;   // arguments that point to what a library changes unseen
  llvm::SmallVector<unsigned, 1> written;  // arguments that point to what a library gives values to
  llvm::SmallVector<unsigned, 1> shared_byval;  // arguments whose hidden copy reads memory that may be shared
};
using CallSites = llvm::SmallVector<CallWork, 16>;

/// Must be asked before accesses are rewritten (hook calls look like escapes).
CallSites collect_calls(llvm::Function& function, const llvm::SmallPtrSetImpl<const llvm::Function*>& skipped,
                        Sites& sites, const ThreadLocals& thread_locals);
/// main that looks at its parameters says so.
void note_arguments(llvm::Function& function, Hooks& hooks);
/// Whoever called this function as one it does not know: it is instrumented.
void mark_entry(llvm::Function& function, Hooks& hooks);
void instrument_calls(llvm::Function& function, const CallSites& calls, Hooks& hooks);

}  // namespace plait::instrument

// Everything that depends on the LLVM version: porting to another one starts and ends here.
#pragma once
#include "llvm/ADT/SmallVector.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

static_assert(LLVM_VERSION_MAJOR == 19, "plait-instrument is written for LLVM 19");

namespace plait::instrument {

/// A source variable that lives in, or whose value is, an LLVM value. LLVM 19 keeps this either in intrinsics or in
/// records attached to instructions, depending on how the module was made.
struct NamedBy {
  llvm::DILocalVariable* variable;
  llvm::DILocation* location;  // its inlined-at tells whose variable it is; may be null
};

inline llvm::SmallVector<NamedBy, 2> variables_stored_in(llvm::Value* address) {
  llvm::SmallVector<NamedBy, 2> found;
  for (llvm::DbgDeclareInst* declare : llvm::findDbgDeclares(address))
    found.push_back({declare->getVariable(), declare->getDebugLoc().get()});
  for (llvm::DbgVariableRecord* declare : llvm::findDVRDeclares(address))
    found.push_back({declare->getVariable(), declare->getDebugLoc().get()});
  // At -O1 and above a local is tied to its memory by assignments instead.
  if (auto* memory = llvm::dyn_cast<llvm::AllocaInst>(address)) {
    for (llvm::DbgAssignIntrinsic* assign : llvm::at::getAssignmentMarkers(memory))
      found.push_back({assign->getVariable(), assign->getDebugLoc().get()});
    for (llvm::DbgVariableRecord* assign : llvm::at::getDVRAssignmentMarkers(memory))
      found.push_back({assign->getVariable(), assign->getDebugLoc().get()});
  }
  return found;
}

inline llvm::SmallVector<NamedBy, 2> variables_with_value(llvm::Value* value) {
  llvm::SmallVector<llvm::DbgValueInst*, 4> intrinsics;
  llvm::SmallVector<llvm::DbgVariableRecord*, 4> records;
  llvm::findDbgValues(intrinsics, value, &records);
  llvm::SmallVector<NamedBy, 2> found;
  for (llvm::DbgValueInst* entry : intrinsics)
    if (entry->getExpression()->getNumElements() == 0)
      found.push_back({entry->getVariable(), entry->getDebugLoc().get()});
  for (llvm::DbgVariableRecord* entry : records)
    if (!entry->isDbgDeclare() && entry->getExpression()->getNumElements() == 0)
      found.push_back({entry->getVariable(), entry->getDebugLoc().get()});
  return found;
}

}  // namespace plait::instrument

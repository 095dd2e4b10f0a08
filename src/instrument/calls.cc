#include "instrument/calls.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace plait::instrument {

CallSites collect_calls(llvm::Function& function, const llvm::SmallPtrSetImpl<const llvm::Function*>& skipped,
                        Sites& sites, const ThreadLocals& thread_locals) {
  CallSites work;
  PrivateMemory memory(function, thread_locals);
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call || llvm::isa<llvm::IntrinsicInst>(call)) continue;
    CallWork item{call, nullptr};
    if (auto* text = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand())) {
      item.fence = llvm::StringRef(text->getAsmString()).contains("mfence");
    } else {
      const llvm::Function* callee = call->getCalledFunction();
      item.set_site =
          !callee || ((callee->isDeclaration() || skipped.contains(callee)) && !Hooks::is_hook(callee->getName()));
    }
    // A musttail call forwards the caller's own arguments: nothing is copied.
    auto* direct = llvm::dyn_cast<llvm::CallInst>(call);
    if (!direct || !direct->isMustTailCall())
      for (unsigned i = 0; i < call->arg_size(); ++i)
        if (call->isByValArgument(i) && !memory.is_silent_source(call->getArgOperand(i)))
          item.shared_byval.push_back(i);
    if (!item.set_site && !item.fence && item.shared_byval.empty()) continue;
    item.site = sites.site(*call, "");
    work.push_back(item);
  }
  return work;
}

void instrument_calls(llvm::Function& function, const CallSites& calls, Hooks& hooks) {
  const llvm::DataLayout& layout = function.getDataLayout();
  for (const CallWork& work : calls) {
    Builder b(work.call);
    for (unsigned i : work.shared_byval) {
      llvm::Type* type = work.call->getParamByValType(i);
      Builder entry(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
      llvm::AllocaInst* copy = entry.CreateAlloca(type, nullptr, "plait.byval");
      if (auto align = work.call->getParamAlign(i)) copy->setAlignment(std::max(copy->getAlign(), *align));
      hooks.load_range(b, copy, work.call->getArgOperand(i), b.getInt64(layout.getTypeAllocSize(type).getFixedValue()),
                       work.site);
      work.call->setArgOperand(i, copy);
    }
    if (work.fence) hooks.fence(b, Order::SeqCst, false, work.site);
    if (work.set_site) hooks.set_call_site(b, work.site);
  }
}

}  // namespace plait::instrument

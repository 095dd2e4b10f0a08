#include "instrument/attributes.h"

#include "instrument/llvm.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Instructions.h"

namespace plait::instrument {

namespace {

using llvm::Attribute;

/// A hook may switch threads, read and write anything, and not return: nothing that says otherwise may stay. The
/// allocation attributes would make new/delete pairs removable, and a double free with them.
llvm::AttributeMask function_lies() {
  llvm::AttributeMask mask;
  for (Attribute::AttrKind kind :
       {Attribute::Memory, Attribute::NoSync, Attribute::NoFree, Attribute::WillReturn, Attribute::MustProgress,
        Attribute::Speculatable, Attribute::NoCallback, Attribute::AllocKind, Attribute::AllocSize, Attribute::Builtin})
    mask.addAttribute(kind);
  mask.addAttribute("alloc-family");
  return mask;
}

llvm::AttributeMask parameter_lies() {
  llvm::AttributeMask mask;
  for (Attribute::AttrKind kind : {Attribute::ReadOnly, Attribute::ReadNone, Attribute::WriteOnly, Attribute::NoFree,
                                   Attribute::NoCapture, Attribute::AllocAlign, Attribute::AllocatedPointer})
    mask.addAttribute(kind);
  return mask;
}

/// operator new and delete; malloc and its family are redirected.
bool is_allocation_function(llvm::StringRef name) {
  return name.starts_with("_Znw") || name.starts_with("_Zna") || name.starts_with("_Zdl") || name.starts_with("_Zda");
}

template <typename FunctionOrCall>
void strip(FunctionOrCall& from, unsigned parameters, const llvm::AttributeMask& of_function,
           const llvm::AttributeMask& of_parameters) {
  llvm::AttributeList list = from.getAttributes();
  if (list.isEmpty()) return;
  llvm::LLVMContext& context = from.getContext();
  list = list.removeFnAttributes(context, of_function);
  for (unsigned i = 0; i < parameters; ++i) list = list.removeParamAttributes(context, i, of_parameters);
  from.setAttributes(list);
}

/// A loop that does nothing but wait must stay a loop.
void strip_loop_progress(llvm::Instruction& terminator) {
  llvm::MDNode* loop = terminator.getMetadata(llvm::LLVMContext::MD_loop);
  if (!loop) return;
  llvm::SmallVector<llvm::Metadata*, 4> kept{nullptr};  // the first operand is the node itself
  bool found = false;
  for (const llvm::MDOperand& operand : llvm::drop_begin(loop->operands())) {
    auto* hint = llvm::dyn_cast_or_null<llvm::MDNode>(operand.get());
    auto* name = hint && hint->getNumOperands() ? llvm::dyn_cast_or_null<llvm::MDString>(hint->getOperand(0)) : nullptr;
    if (name && name->getString() == "llvm.loop.mustprogress")
      found = true;
    else
      kept.push_back(operand.get());
  }
  if (!found) return;
  llvm::MDNode* replacement = llvm::MDNode::getDistinct(terminator.getContext(), kept);
  replacement->replaceOperandWith(0, replacement);
  terminator.setMetadata(llvm::LLVMContext::MD_loop, replacement);
}

}  // namespace

void strip_attributes(llvm::Module& module) {
  const llvm::AttributeMask of_function = function_lies(), of_parameters = parameter_lies();
  for (llvm::Function& function : module) {
    if (function.isIntrinsic()) continue;
    strip(function, function.arg_size(), of_function, of_parameters);
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (!call || llvm::isa<llvm::IntrinsicInst>(call) || call->isInlineAsm()) continue;
        strip(*call, call->arg_size(), of_function, of_parameters);
        const llvm::Function* callee = call->getCalledFunction();
        if (callee && is_allocation_function(callee->getName())) call->addFnAttr(Attribute::NoBuiltin);
      }
      if (llvm::Instruction* terminator = block.getTerminator()) strip_loop_progress(*terminator);
    }
  }
}

}  // namespace plait::instrument

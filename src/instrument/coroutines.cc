#include "instrument/coroutines.h"

#include "instrument/llvm.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace plait::instrument {
namespace {

constexpr const char* kAwaits = "__await_suspend_wrapper__";  // clang's name for a call of await_suspend

bool is_intrinsic(const llvm::Instruction& instruction, llvm::ArrayRef<llvm::Intrinsic::ID> ids) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && llvm::is_contained(ids, call->getIntrinsicID());
}

/// The second pointer: nobody changes it but LLVM, when the frame is made. Volatile: nobody takes the load away because
/// its result is not used.
llvm::LoadInst* read_frame(llvm::IRBuilder<>& builder, llvm::Value* frame) {
  llvm::Type* pointer = builder.getPtrTy();
  return builder.CreateLoad(pointer, builder.CreateConstGEP1_64(pointer, frame, 1), true);
}

/// What LLVM has put there no trace shows, so the value is no result that the thread receives.
void write_frame(llvm::IRBuilder<>& builder, llvm::Value* frame) {
  llvm::LoadInst* value = read_frame(builder, frame);
  value->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(value->getContext(), {}));
  builder.CreateStore(value, value->getPointerOperand(), true);
}

/// await_suspend returned whom to resume.
bool resumes_result(const llvm::Function& function) {
  return function.getName().contains(kAwaits) && function.getReturnType()->isPointerTy();
}

bool see_frames(llvm::Function& function) {
  llvm::SmallVector<llvm::Instruction*, 8> uses, saves, returns, allocations;
  llvm::Value* frame = nullptr;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (is_intrinsic(instruction, {llvm::Intrinsic::coro_begin})) frame = &instruction;
    if (is_intrinsic(instruction, {llvm::Intrinsic::coro_alloc})) allocations.push_back(&instruction);
    if (is_intrinsic(instruction, {llvm::Intrinsic::coro_save})) saves.push_back(&instruction);
    if (is_intrinsic(instruction,
                     {llvm::Intrinsic::coro_resume, llvm::Intrinsic::coro_destroy, llvm::Intrinsic::coro_done}))
      uses.push_back(&instruction);
    if (llvm::isa<llvm::ReturnInst>(instruction) && resumes_result(function)) returns.push_back(&instruction);
  }
  for (llvm::Instruction* use : uses) {
    llvm::IRBuilder<> builder(use);
    read_frame(builder, llvm::cast<llvm::IntrinsicInst>(use)->getArgOperand(0));
  }
  for (llvm::Instruction* save : saves) {
    llvm::IRBuilder<> builder(save);
    if (frame) write_frame(builder, frame);
  }
  for (llvm::Instruction* end : returns) {
    llvm::IRBuilder<> builder(end);
    read_frame(builder, end->getOperand(0));
  }
  // A frame that LLVM put on the stack would end unseen.
  for (llvm::Instruction* allocation : allocations) {
    allocation->replaceAllUsesWith(llvm::ConstantInt::getTrue(function.getContext()));
    allocation->eraseFromParent();
  }
  return !uses.empty() || !returns.empty() || !allocations.empty() || (frame && !saves.empty());
}

}  // namespace

llvm::PreservedAnalyses CoroutineFramesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  bool changed = false;
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) changed |= see_frames(function);
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace plait::instrument

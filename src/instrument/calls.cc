#include "instrument/calls.h"

#include "instrument/allocated_type.h"
#include "instrument/assembly.h"
#include "instrument/describe.h"
#include "instrument/facets.h"
#include "instrument/known_calls.h"
#include "instrument/labels.h"
#include "instrument/object_calls.h"
#include "instrument/undefined.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "runtime/abi.h"

namespace plait::instrument {

namespace {

/// Pointer arguments to memory of the program that the callee, which is a library's, reads and writes unseen.
void collect_handed(CallWork& item, const llvm::Function& callee) {
  unsigned pointer = 0;
  for (unsigned i = 0; i < item.call->arg_size(); ++i) {
    const llvm::Value* argument = item.call->getArgOperand(i);
    if (!argument->getType()->isPointerTy() || item.call->isByValArgument(i)) continue;
    if (item.call->paramHasAttr(i, llvm::Attribute::StructRet)) continue;
    const unsigned index = pointer++;
    if (llvm::isa<llvm::ConstantPointerNull, llvm::Function>(argument)) continue;
    if (auto* global = llvm::dyn_cast<llvm::GlobalVariable>(argument); global && global->isConstant()) continue;
    if (is_handed_memory(callee.getName(), index)) item.handed.push_back(i);
  }
}

u32 how_handed(const llvm::CallBase& call, unsigned argument) {
  const llvm::StringRef callee = call.getCalledFunction()->getName();
  unsigned pointer = 0;
  for (unsigned i = 0; i < argument; ++i)
    pointer += call.getArgOperand(i)->getType()->isPointerTy() && !call.paramHasAttr(i, llvm::Attribute::StructRet);
  return (is_destructor(callee) ? handed_flag::kLast : 0) | (only_reads(callee, pointer) ? handed_flag::kReads : 0);
}

/// Pointer arguments to memory that the callee, which is a library's, may give its first values.
void collect_written(CallWork& item, const llvm::Function& callee) {
  unsigned pointer = 0;
  for (unsigned i = 0; i < item.call->arg_size(); ++i) {
    const llvm::Value* argument = item.call->getArgOperand(i);
    if (!argument->getType()->isPointerTy() || item.call->isByValArgument(i)) continue;
    const bool result = item.call->paramHasAttr(i, llvm::Attribute::StructRet);
    const unsigned index = result ? 0 : pointer++;
    if (llvm::isa<llvm::Constant>(argument)) continue;
    if (result || gives_values(callee.getName(), index)) item.written.push_back(i);
  }
}

std::string object_text(const llvm::CallBase& call, Describer& describer) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee) return "";
  const std::optional<unsigned> object = object_argument(callee->getName(), call.arg_size());
  return object ? describer.access(call.getArgOperand(*object), 1) : "";
}

/// Calls by name say whom they call: people must know. Those through pointers have no name, and may go anywhere. What
/// is neither libc's nor libstdc++'s is foreign.
llvm::Constant* unknown_site(const llvm::CallBase& call, Sites& sites) {
  const llvm::Function* callee = call.getCalledFunction();
  llvm::Constant* named =
      sites.site(call, (llvm::Twine(kCallText) + (callee ? callee->getName() : llvm::StringRef())).str());
  if (callee && is_system_function(callee->getName())) return named;
  return llvm::ConstantExpr::getInBoundsGetElementPtr(
      llvm::Type::getInt8Ty(call.getContext()), named,
      llvm::ConstantInt::get(llvm::Type::getInt64Ty(call.getContext()), kForeignCall));
}

}  // namespace

CallSites collect_calls(llvm::Function& function, const llvm::SmallPtrSetImpl<const llvm::Function*>& skipped,
                        Sites& sites, const ThreadLocals& thread_locals) {
  CallSites work;
  PrivateMemory memory(function, thread_locals);
  Describer describer(function);
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call || llvm::isa<llvm::IntrinsicInst>(call)) continue;
    CallWork item{call, nullptr};
    if (auto* text = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand())) {
      const AssemblyEffect effect = effect_of(*text);
      item.fence = effect.fence;
      item.assembly = effect.unknown;
    } else {
      const llvm::Function* callee = call->getCalledFunction();
      // A body that is there for inlining only may be dropped in the end, and the library's own called. If it is not,
      // it says so itself (mark_entry).
      const bool elsewhere =
          !callee || callee->isDeclaration() || skipped.contains(callee) || callee->hasAvailableExternallyLinkage();
      if (callee && (Hooks::is_hook(callee->getName()) || is_undefined(*call))) continue;
      item.set_site = elsewhere;
      // The virtual functions that libstdc++'s own code calls are its own or instrumented.
      item.unknown =
          elsewhere && !(callee ? keeps_no_state(callee->getName()) : is_library_unit() || is_call_of_facet(*call));
      if (elsewhere && callee) collect_handed(item, *callee);
      if (elsewhere && callee && !item.unknown) collect_written(item, *callee);
      if (!sites.in_library(*call))
        item.set_user_site = elsewhere || sites.in_library(*callee);
      else
        item.keep_user_site = !callee || (!elsewhere && !sites.in_library(*callee));
    }
    // A musttail call forwards the caller's own arguments: nothing is copied.
    auto* direct = llvm::dyn_cast<llvm::CallInst>(call);
    if (!direct || !direct->isMustTailCall())
      for (unsigned i = 0; i < call->arg_size(); ++i)
        if (call->isByValArgument(i) && !memory.is_silent_source(call->getArgOperand(i)))
          item.shared_byval.push_back(i);
    const bool needed = item.set_site || item.set_user_site || item.keep_user_site || item.fence || item.assembly ||
                        !item.shared_byval.empty() || !item.written.empty();
    if (!needed) continue;
    item.site = sites.site(*call, object_text(*call, describer));
    if (item.unknown) item.unknown_site = unknown_site(*call, sites);
    if (const llvm::DIType* allocated = allocated_type(*call)) sites.note_type(item.site, allocated, true);
    work.push_back(item);
  }
  return work;
}

namespace {

/// Where the call goes on when it returns; null: nowhere that only it leads to.
llvm::Instruction* after(llvm::CallBase& call) {
  if (call.doesNotReturn()) return nullptr;
  if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) {
    llvm::BasicBlock* normal = invoke->getNormalDest();
    return normal->getSinglePredecessor() ? &*normal->getFirstInsertionPt() : nullptr;
  }
  auto* direct = llvm::dyn_cast<llvm::CallInst>(&call);
  return direct && !direct->isMustTailCall() ? direct->getNextNode() : nullptr;
}

/// Who fills the block, nobody knows: the frame of a coroutine is filled by code that the compiler adds later; members
/// of std::string and of its allocator are the linker's choice for prebuilt code, too (GoogleTest), which goes on with
/// what it was given.
bool is_filled_unseen(const llvm::Function& allocates) {
  const llvm::StringRef name = allocates.getName();
  return allocates.isPresplitCoroutine() || name.contains("12basic_stringI") || name.contains("allocatorIcE") ||
         name.contains("SaIcE");
}

/// The user code that a library calls stores user sites of its own; what the library does next belongs to its caller
/// again.
void keep_user_site(llvm::CallBase& call, Hooks& hooks) {
  llvm::Instruction* next = after(call);
  if (!next) return;
  Builder before(&call);
  llvm::Value* kept = hooks.user_site(before);
  Builder b(next);
  hooks.set_user_site(b, kept);
}

}  // namespace

void note_arguments(llvm::Function& function, Hooks& hooks) {
  const auto used = [](const llvm::Argument& argument) { return !argument.use_empty(); };
  if (function.getName() != "main" || llvm::none_of(function.args(), used)) return;
  Builder b(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
  hooks.uses_arguments(b);
}

void mark_entry(llvm::Function& function, Hooks& hooks) {
  if (function.hasLocalLinkage() && !function.hasAddressTaken()) return;
  Builder b(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
  hooks.set_unknown_call(b, llvm::ConstantPointerNull::get(b.getPtrTy()));
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
      if (wants_labels())
        hooks.label_hook(b, "needed", b.getVoidTy(),
                         {copy, b.getInt64(layout.getTypeAllocSize(type).getFixedValue()), work.site});
      work.call->setArgOperand(i, copy);
    }
    if (work.assembly) hooks.assembly(b, work.site);
    if (work.fence) hooks.fence(b, *work.fence, FenceScope::Threads, work.site);
    for (unsigned i : work.handed) hooks.handed(b, work.call->getArgOperand(i), how_handed(*work.call, i), work.site);
    for (unsigned i : work.written) hooks.written(b, work.call->getArgOperand(i));
    if (is_operator_new(*work.call) && !is_filled_unseen(function)) hooks.announce_new(b);
    if (work.set_site) hooks.set_call_site(b, work.site);
    if (work.unknown) {
      hooks.set_unknown_call(b, work.unknown_site);
      if (llvm::Instruction* next = after(*work.call)) {
        Builder behind(next);
        hooks.keep_unknown_call(behind);
      }
    }
    if (work.set_user_site) hooks.set_user_site(b, work.site);
    if (work.keep_user_site) keep_user_site(*work.call, hooks);
  }
}

}  // namespace plait::instrument

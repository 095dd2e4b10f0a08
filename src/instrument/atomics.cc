#include <optional>

#include "instrument/rewriter.h"
#include "llvm/CodeGen/AtomicExpandUtils.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"

namespace plait::instrument {

namespace {

/// Nothing when the runtime has no such operation.
std::optional<RmwKind> kind_of(const llvm::AtomicRMWInst& rmw) {
  using Op = llvm::AtomicRMWInst;
  switch (rmw.getOperation()) {
    case Op::Xchg: return RmwKind::Exchange;
    case Op::Add: return RmwKind::Add;
    case Op::Sub: return RmwKind::Sub;
    case Op::And: return RmwKind::And;
    case Op::Or: return RmwKind::Or;
    case Op::Xor: return RmwKind::Xor;
    case Op::Nand: return RmwKind::Nand;
    case Op::Max: return RmwKind::Max;
    case Op::Min: return RmwKind::Min;
    case Op::UMax: return RmwKind::UMax;
    case Op::UMin: return RmwKind::UMin;
    case Op::UIncWrap: return RmwKind::UIncWrap;
    case Op::UDecWrap: return RmwKind::UDecWrap;
    case Op::FAdd:
    case Op::FSub:
      if (!rmw.getType()->isFloatTy() && !rmw.getType()->isDoubleTy()) return std::nullopt;
      return rmw.getOperation() == Op::FAdd ? RmwKind::FAdd : RmwKind::FSub;
    default: return std::nullopt;
  }
}

/// libstdc++ gives back the lock of an atomic<shared_ptr> with a relaxed subtraction where it has only read. By the
/// letter that orders nothing, and the next owner's write races with the read; nobody but the library can change it.
/// The lock is taken for one.
bool unlocks_atomic_pointer(const llvm::AtomicRMWInst& rmw) {
  if (rmw.getOperation() != llvm::AtomicRMWInst::Sub && rmw.getOperation() != llvm::AtomicRMWInst::Add) return false;
  if (rmw.getFunction()->getName().contains("_Sp_atomic")) return true;
  for (const llvm::DILocation* at = rmw.getDebugLoc(); at; at = at->getInlinedAt())
    if (at->getScope()->getSubprogram()->getLinkageName().contains("_Sp_atomic")) return true;
  return false;
}

}  // namespace

Order order_of(llvm::AtomicOrdering ordering) {
  switch (ordering) {
    case llvm::AtomicOrdering::NotAtomic: return Order::Plain;
    case llvm::AtomicOrdering::Unordered:
    case llvm::AtomicOrdering::Monotonic: return Order::Relaxed;
    case llvm::AtomicOrdering::Acquire: return Order::Acquire;
    case llvm::AtomicOrdering::Release: return Order::Release;
    case llvm::AtomicOrdering::AcquireRelease: return Order::AcqRel;
    case llvm::AtomicOrdering::SequentiallyConsistent: return Order::SeqCst;
  }
  return Order::SeqCst;
}

void expand_rare_atomics(llvm::Function& function) {
  llvm::SmallVector<llvm::AtomicRMWInst*, 2> rare;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction); rmw && !kind_of(*rmw)) rare.push_back(rmw);
  for (llvm::AtomicRMWInst* rmw : rare)
    llvm::expandAtomicRMWToCmpXchg(
        rmw, [](llvm::IRBuilderBase& b, llvm::Value* at, llvm::Value* expected, llvm::Value* desired, llvm::Align align,
                llvm::AtomicOrdering ordering, llvm::SyncScope::ID scope, llvm::Value*& success, llvm::Value*& loaded) {
          llvm::Type* type = expected->getType();
          llvm::Type* integer = b.getIntNTy(type->getPrimitiveSizeInBits());
          auto* pair =
              b.CreateAtomicCmpXchg(at, b.CreateBitCast(expected, integer), b.CreateBitCast(desired, integer), align,
                                    ordering, llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(ordering), scope);
          success = b.CreateExtractValue(pair, 1);
          loaded = b.CreateBitCast(b.CreateExtractValue(pair, 0), type);
        });
}

void Rewriter::rewrite_rmw(llvm::AtomicRMWInst& rmw, llvm::Constant* site) {
  Builder b(&rmw);
  const unsigned size = integer_size(rmw.getType(), layout);
  if (size == 0) llvm::report_fatal_error("plait: an atomic operation on a type without an integer size");
  llvm::Value* operand = to_integer(b, rmw.getValOperand(), size);
  const Order order = unlocks_atomic_pointer(rmw) ? Order::AcqRel : order_of(rmw.getOrdering());
  llvm::Value* old = hooks.atomic_rmw(b, rmw.getPointerOperand(), operand, size, *kind_of(rmw), order, site);
  rmw.replaceAllUsesWith(from_integer(b, old, rmw.getType()));
  rmw.eraseFromParent();
}

void Rewriter::rewrite_cas(llvm::AtomicCmpXchgInst& cas, llvm::Constant* site) {
  Builder b(&cas);
  llvm::Type* type = cas.getCompareOperand()->getType();
  const unsigned size = integer_size(type, layout);
  if (size == 0) llvm::report_fatal_error("plait: a compare-and-swap on a type without an integer size");
  llvm::Value* expected = to_integer(b, cas.getCompareOperand(), size);
  llvm::Value* old =
      hooks.atomic_cas(b, cas.getPointerOperand(), expected, to_integer(b, cas.getNewValOperand(), size), size,
                       order_of(cas.getSuccessOrdering()), order_of(cas.getFailureOrdering()), site);
  llvm::Value* pair = llvm::PoisonValue::get(cas.getType());
  pair = b.CreateInsertValue(pair, from_integer(b, old, type), 0);
  pair = b.CreateInsertValue(pair, b.CreateICmpEQ(old, expected), 1);
  cas.replaceAllUsesWith(pair);
  cas.eraseFromParent();
}

void Rewriter::rewrite_fence(llvm::FenceInst& fence, llvm::Constant* site) {
  Builder b(&fence);
  const bool single_thread = fence.getSyncScopeID() == llvm::SyncScope::SingleThread;
  hooks.fence(b, order_of(fence.getOrdering()), single_thread ? FenceScope::Signals : FenceScope::Threads, site);
  fence.eraseFromParent();
}

void Rewriter::drain_before(llvm::Instruction& instruction, llvm::Constant* site) {
  Builder b(&instruction);
  hooks.fence(b, Order::SeqCst, FenceScope::Buffer, site);
}

}  // namespace plait::instrument

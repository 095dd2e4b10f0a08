// LLVM's memory intrinsics and the x86 fences.
#include "instrument/rewriter.h"
#include "llvm/IR/IntrinsicsX86.h"

namespace plait::instrument {

void Rewriter::rewrite_copy(llvm::AnyMemTransferInst& copy, bool silent_source, bool private_target,
                            llvm::Constant* site) {
  Builder b(&copy);
  llvm::Value* size = b.CreateZExtOrTrunc(copy.getLength(), b.getInt64Ty());
  if (private_target)
    hooks.load_range(b, copy.getRawDest(), copy.getRawSource(), size, site);
  else if (silent_source)
    hooks.store_range(b, copy.getRawDest(), copy.getRawSource(), size, site);
  else
    hooks.copy(b, copy.getRawDest(), copy.getRawSource(), size, site);
  copy.eraseFromParent();
}

void Rewriter::rewrite_fill(llvm::AnyMemSetInst& fill, llvm::Constant* site) {
  Builder b(&fill);
  hooks.fill(b, fill.getRawDest(), b.CreateZExt(fill.getValue(), b.getInt32Ty()),
             b.CreateZExtOrTrunc(fill.getLength(), b.getInt64Ty()), site);
  fill.eraseFromParent();
}

bool is_x86_fence(const llvm::IntrinsicInst& call) {
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  return id == llvm::Intrinsic::x86_sse2_mfence || id == llvm::Intrinsic::x86_sse2_lfence ||
         id == llvm::Intrinsic::x86_sse_sfence;
}

void Rewriter::rewrite_x86_fence(llvm::IntrinsicInst& call, llvm::Constant* site) {
  Builder b(&call);
  Order order = Order::SeqCst;
  if (call.getIntrinsicID() == llvm::Intrinsic::x86_sse2_lfence) order = Order::Acquire;  // loads only
  if (call.getIntrinsicID() == llvm::Intrinsic::x86_sse_sfence) order = Order::Release;   // stores only
  hooks.fence(b, order, FenceScope::Threads, site);
  call.eraseFromParent();
}

}  // namespace plait::instrument

// Masked vector accesses: one hook call per lane. A lane that is switched off accesses a private temporary instead,
// which needs no branches and costs an operation that no other thread can see.
#include "instrument/rewriter.h"

namespace plait::instrument {

namespace {

using llvm::Intrinsic::ID;

/// Where the operands stand; -1: there is none.
struct Shape {
  int value;    // stored vector
  int address;  // pointer, or vector of pointers
  int mask;
  int otherwise;  // what lanes that are off load
  bool packed;    // memory has only the lanes that are on, one after the other
};

const Shape* shape_of(ID id) {
  static constexpr Shape load{-1, 0, 2, 3, false}, store{0, 1, 3, -1, false}, expand{-1, 0, 1, 2, true},
      compress{0, 1, 2, -1, true};
  switch (id) {
    case llvm::Intrinsic::masked_load:
    case llvm::Intrinsic::masked_gather: return &load;
    case llvm::Intrinsic::masked_store:
    case llvm::Intrinsic::masked_scatter: return &store;
    case llvm::Intrinsic::masked_expandload: return &expand;
    case llvm::Intrinsic::masked_compressstore: return &compress;
    default: return nullptr;
  }
}

}  // namespace

bool is_masked_access(const llvm::IntrinsicInst& call) {
  const Shape* shape = shape_of(call.getIntrinsicID());
  return shape && llvm::isa<llvm::FixedVectorType>(call.getArgOperand(shape->mask)->getType());
}

void Rewriter::rewrite_masked(llvm::IntrinsicInst& call, llvm::Constant* site) {
  const Shape& shape = *shape_of(call.getIntrinsicID());
  const bool stores = shape.value >= 0;
  llvm::Value* address = call.getArgOperand(shape.address);
  llvm::Value* mask = call.getArgOperand(shape.mask);
  auto* vector =
      llvm::cast<llvm::FixedVectorType>(stores ? call.getArgOperand(shape.value)->getType() : call.getType());
  llvm::Type* element = vector->getElementType();

  Builder b(&call);
  // Not the scratch memory: a lane of an odd size uses that for itself.
  Builder entry(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
  llvm::AllocaInst* off = entry.CreateAlloca(element, nullptr, "plait.lane");

  llvm::Value* result = llvm::PoisonValue::get(vector);
  llvm::Value* next = b.getInt64(0);  // index in packed memory
  for (unsigned lane = 0; lane < vector->getNumElements(); ++lane) {
    llvm::Value* on = b.CreateExtractElement(mask, lane);
    llvm::Value* at = address->getType()->isVectorTy() ? b.CreateExtractElement(address, lane)
                      : shape.packed                   ? b.CreateGEP(element, address, next)
                                                       : b.CreateConstGEP1_64(element, address, lane);
    at = b.CreateSelect(on, at, off);
    if (stores) {
      plain_store(b, b.CreateExtractElement(call.getArgOperand(shape.value), lane), at, site);
    } else {
      b.CreateStore(b.CreateExtractElement(call.getArgOperand(shape.otherwise), lane), off);
      result = b.CreateInsertElement(result, plain_load(b, element, at, site), lane);
    }
    if (shape.packed) next = b.CreateAdd(next, b.CreateZExt(on, b.getInt64Ty()));
  }
  if (!stores) call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

}  // namespace plait::instrument

#include "instrument/accesses.h"

#include "instrument/describe.h"
#include "instrument/holes.h"
#include "instrument/labels.h"
#include "instrument/llvm.h"
#include "instrument/rewriter.h"
#include "instrument/undefined.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

namespace plait::instrument {

namespace {

/// Tables of virtual functions never change, but a pointer to one does not show that it points to a constant.
bool reads_vtable(const llvm::LoadInst& load) {
  auto* table = llvm::dyn_cast<llvm::LoadInst>(root_of(const_cast<llvm::Value*>(load.getPointerOperand())));
  if (!table) return false;
  const llvm::MDNode* tag = table->getMetadata(llvm::LLVMContext::MD_tbaa);
  return tag && tag->isTBAAVtableAccess();
}

struct Selected {
  llvm::Instruction* instruction;
  llvm::Constant* site;
  bool silent_source = false;   // of a copy
  bool private_target = false;  // of a copy
  bool only_drains = false;     // private: stays native, behind a fence
};

/// Decides and names everything before anything is rewritten: both look at the original accesses.
class Selection {
 public:
  Selection(llvm::Function& function, Sites& sites, const ThreadLocals& thread_locals)
      : sites_(sites), memory_(function, thread_locals), describer_(function) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) visit(instruction);
  }
  llvm::SmallVector<Selected, 32> found;

 private:
  void add(llvm::Instruction& instruction, llvm::Value* pointer, uint64_t size) {
    found.push_back({&instruction, sites_.site(instruction, pointer ? describer_.access(pointer, size) : "")});
  }

  /// Nobody sees the access, but it drains the store buffer all the same.
  void add_fence(llvm::Instruction& instruction) {
    add(instruction, nullptr, 0);
    found.back().only_drains = true;
  }

  uint64_t size_of(llvm::Instruction& at, llvm::Type* type) {
    return at.getDataLayout().getTypeStoreSize(type).getKnownMinValue();
  }

  void visit(llvm::Instruction& instruction) {
    if (clears_holes(instruction)) return;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      if (memory_.is_silent_source(load->getPointerOperand())) return;
      if (load->hasMetadata(llvm::LLVMContext::MD_invariant_load) || reads_vtable(*load)) return;
      add(*load, load->getPointerOperand(), size_of(*load, load->getType()));
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      llvm::Value* to = store->getPointerOperand();
      const bool drains = store->getOrdering() == llvm::AtomicOrdering::SequentiallyConsistent;
      if (drains && memory_.is_private(to)) add_fence(*store);
      if (memory_.is_private(to) || is_automatic_initialisation(*store, to)) return;
      // What was copied from between members, as far as the compiler knows: no store.
      if (llvm::isa<llvm::UndefValue>(store->getValueOperand()) && store->isSimple()) return;
      add(*store, to, size_of(*store, store->getValueOperand()->getType()));
    } else if (auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      if (memory_.is_private(rmw->getPointerOperand()))
        add_fence(*rmw);
      else
        add(*rmw, rmw->getPointerOperand(), size_of(*rmw, rmw->getType()));
    } else if (auto* cas = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      if (memory_.is_private(cas->getPointerOperand()))
        add_fence(*cas);
      else
        add(*cas, cas->getPointerOperand(), size_of(*cas, cas->getNewValOperand()->getType()));
    } else if (llvm::isa<llvm::FenceInst>(instruction)) {
      add(instruction, nullptr, 0);
    } else if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
      visit_intrinsic(*call);
    }
  }

  void visit_intrinsic(llvm::IntrinsicInst& call) {
    auto length = [](llvm::Value* value) -> uint64_t {
      auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
      return constant ? constant->getZExtValue() : 0;
    };
    if (auto* copy = llvm::dyn_cast<llvm::AnyMemTransferInst>(&call)) {
      const bool silent_source = memory_.is_silent_source(copy->getRawSource());
      const bool private_target = memory_.is_private(copy->getRawDest());
      if (length(copy->getLength()) == 0 && llvm::isa<llvm::ConstantInt>(copy->getLength())) return;
      if (private_target && silent_source) return;
      if (silent_source && is_automatic_initialisation(*copy, copy->getRawDest())) return;
      add(*copy, private_target ? copy->getRawSource() : copy->getRawDest(), length(copy->getLength()));
      found.back().silent_source = silent_source;
      found.back().private_target = private_target;
    } else if (auto* fill = llvm::dyn_cast<llvm::AnyMemSetInst>(&call)) {
      if (memory_.is_private(fill->getRawDest()) || is_automatic_initialisation(*fill, fill->getRawDest())) return;
      add(*fill, fill->getRawDest(), length(fill->getLength()));
    } else if (is_masked_access(call) || is_x86_fence(call)) {
      add(call, nullptr, 0);
    }
  }

  Sites& sites_;
  PrivateMemory memory_;
  Describer describer_;
};

}  // namespace

llvm::Value* Rewriter::scratch(uint64_t size) {
  const uint64_t have = scratch_memory ? scratch_memory->getAllocationSize(layout)->getFixedValue() : 0;
  if (have < size) {
    Builder b(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
    scratch_memory = b.CreateAlloca(llvm::ArrayType::get(b.getInt8Ty(), size), nullptr, "plait.scratch");
    scratch_memory->setAlignment(llvm::Align(16));
  }
  return scratch_memory;
}

unsigned integer_size(llvm::Type* type, const llvm::DataLayout& layout) {
  if (auto* vector = llvm::dyn_cast<llvm::VectorType>(type); vector && vector->getElementType()->isPointerTy())
    return 0;
  if (!type->isIntOrIntVectorTy() && !type->isFPOrFPVectorTy() && !type->isPointerTy()) return 0;
  if (layout.getTypeSizeInBits(type).isScalable()) return 0;
  const uint64_t bits = layout.getTypeSizeInBits(type).getFixedValue();
  const uint64_t size = layout.getTypeStoreSize(type).getFixedValue();
  if (bits != size * 8 && !type->isIntegerTy()) return 0;
  return size <= 16 && llvm::isPowerOf2_64(size) ? static_cast<unsigned>(size) : 0;
}

llvm::Value* to_integer(Builder& b, llvm::Value* value, unsigned size) {
  llvm::Type* integer = b.getIntNTy(size * 8);
  if (value->getType()->isPointerTy()) return b.CreatePtrToInt(value, integer);
  if (value->getType()->isIntegerTy()) return b.CreateZExt(value, integer);
  return b.CreateBitCast(value, integer);
}

llvm::Value* from_integer(Builder& b, llvm::Value* integer, llvm::Type* type) {
  if (type->isPointerTy()) return b.CreateIntToPtr(integer, type);
  if (type->isIntegerTy()) return b.CreateTrunc(integer, type);
  return b.CreateBitCast(integer, type);
}

llvm::Value* Rewriter::plain_load(Builder& b, llvm::Type* type, llvm::Value* from, llvm::Constant* site) {
  const unsigned size = integer_size(type, layout);
  if (size != 0 && size <= 8) return from_integer(b, hooks.load(b, from, size, site), type);
  const uint64_t bytes = layout.getTypeStoreSize(type).getFixedValue();
  llvm::Value* temporary = scratch(bytes);
  hooks.load_range(b, temporary, from, b.getInt64(bytes), site);
  if (wants_labels()) {
    hooks.label_hook(b, "needed", b.getVoidTy(), {temporary, b.getInt64(bytes), site});
    hooks.label_hook(b, "cleared", b.getVoidTy(), {temporary, b.getInt64(bytes)});
  }
  return b.CreateAlignedLoad(type, temporary, llvm::Align(16));
}

void Rewriter::plain_store(Builder& b, llvm::Value* value, llvm::Value* to, llvm::Constant* site) {
  const unsigned size = integer_size(value->getType(), layout);
  if (size != 0 && size <= 8) {
    hooks.store(b, to, to_integer(b, value, size), size, site);
    return;
  }
  const uint64_t bytes = layout.getTypeStoreSize(value->getType()).getFixedValue();
  llvm::Value* temporary = scratch(bytes);
  b.CreateAlignedStore(value, temporary, llvm::Align(16));
  hooks.store_range(b, to, temporary, b.getInt64(bytes), site);
}

// A volatile or atomic access that is no integer of a known size (a volatile long double, say) has no atomic hook; C
// gives a volatile access no atomicity, and clang makes atomics of such sizes library calls.
void Rewriter::rewrite_load(llvm::LoadInst& load, llvm::Constant* site) {
  Builder b(&load);
  const unsigned size = integer_size(load.getType(), layout);
  llvm::Value* value;
  if ((load.isAtomic() || load.isVolatile()) && size != 0) {
    const Order order = load.isAtomic() ? order_of(load.getOrdering()) : Order::Volatile;
    value = from_integer(b, hooks.atomic_load(b, load.getPointerOperand(), size, order, site), load.getType());
  } else {
    value = plain_load(b, load.getType(), load.getPointerOperand(), site);
  }
  value->takeName(&load);
  load.replaceAllUsesWith(value);
  load.eraseFromParent();
}

void Rewriter::rewrite_store(llvm::StoreInst& store, llvm::Constant* site) {
  Builder b(&store);
  llvm::Value* value = store.getValueOperand();
  const unsigned size = integer_size(value->getType(), layout);
  if ((store.isAtomic() || store.isVolatile()) && size != 0) {
    const Order order = store.isAtomic() ? order_of(store.getOrdering()) : Order::Volatile;
    hooks.atomic_store(b, store.getPointerOperand(), to_integer(b, value, size), size, order, site);
  } else {
    plain_store(b, value, store.getPointerOperand(), site);
  }
  store.eraseFromParent();
}

void instrument_accesses(llvm::Function& function, Hooks& hooks, Sites& sites, const ThreadLocals& thread_locals) {
  expand_rare_atomics(function);
  Selection selection(function, sites, thread_locals);
  Rewriter rewriter{function, hooks, function.getDataLayout()};
  for (const Selected& selected : selection.found) {
    llvm::Instruction& instruction = *selected.instruction;
    if (selected.only_drains)
      rewriter.drain_before(instruction, selected.site);
    else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      rewriter.rewrite_load(*load, selected.site);
    else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      rewriter.rewrite_store(*store, selected.site);
    else if (auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      rewriter.rewrite_rmw(*rmw, selected.site);
    else if (auto* cas = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      rewriter.rewrite_cas(*cas, selected.site);
    else if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction))
      rewriter.rewrite_fence(*fence, selected.site);
    else if (auto* copy = llvm::dyn_cast<llvm::AnyMemTransferInst>(&instruction))
      rewriter.rewrite_copy(*copy, selected.silent_source, selected.private_target, selected.site);
    else if (auto* fill = llvm::dyn_cast<llvm::AnyMemSetInst>(&instruction))
      rewriter.rewrite_fill(*fill, selected.site);
    else if (auto* call = llvm::cast<llvm::IntrinsicInst>(&instruction); is_masked_access(*call))
      rewriter.rewrite_masked(*call, selected.site);
    else
      rewriter.rewrite_x86_fence(*call, selected.site);
  }
}

}  // namespace plait::instrument

#include "instrument/private_shadows.h"

#include "instrument/shadows.h"
#include "instrument/undefined.h"
#include "llvm/IR/InstIterator.h"

namespace plait::instrument {

namespace {

constexpr uint64_t kLargest = 64 * 1024;

bool is_derived(const llvm::Value& value) {
  return llvm::isa<llvm::GetElementPtrInst, llvm::BitCastInst, llvm::AddrSpaceCastInst>(value);
}

/// Its shadow travels as an integer; else all of its bits count as written.
llvm::IntegerType* shadow_type(llvm::Type* type, const llvm::DataLayout& layout) {
  if (!type->isIntegerTy() && !type->isPointerTy() && !type->isFloatTy() && !type->isDoubleTy()) return nullptr;
  const uint64_t bits = layout.getTypeSizeInBits(type).getFixedValue();
  return bits <= 64 && bits % 8 == 0 ? llvm::IntegerType::get(type->getContext(), static_cast<unsigned>(bits))
                                     : nullptr;
}

}  // namespace

PrivateVariables collect_private_variables(llvm::Function& function, const ThreadLocals& thread_locals) {
  PrivateVariables found;
  PrivateMemory memory(function, thread_locals);
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    auto* fill = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction);
    llvm::Value* target = store ? store->getPointerOperand() : fill ? fill->getRawDest() : nullptr;
    if (!target || !is_automatic_initialisation(instruction, target)) continue;
    auto* variable = llvm::cast<llvm::AllocaInst>(root_of(target));
    if (!variable->isStaticAlloca() || variable->isUsedWithInAlloca() || !memory.is_private(variable)) continue;
    const auto size = variable->getAllocationSize(function.getDataLayout());
    if (!size || size->isScalable() || size->getFixedValue() > kLargest || llvm::is_contained(found, variable))
      continue;
    found.push_back(variable);
  }
  return found;
}

PrivateShadows::PrivateShadows(const PrivateVariables& variables, Hooks& hooks) : hooks_(hooks) {
  for (llvm::AllocaInst* variable : variables) {
    Builder b(variable);
    llvm::AllocaInst* made = b.CreateAlloca(variable->getAllocatedType(), variable->getArraySize(), "plait.shadow");
    made->setAlignment(variable->getAlign());
    twins_[variable] = made;
    collect(*variable);
  }
  for (const Access& access : accesses_)
    if (auto* found = llvm::dyn_cast<llvm::LoadInst>(access.instruction)) load(*found);
}

void PrivateShadows::collect(llvm::Value& pointer) {
  for (llvm::User* user : pointer.users()) {
    if (is_derived(*user))
      collect(*user);
    else
      accesses_.push_back({llvm::cast<llvm::Instruction>(user), &pointer});
  }
}

llvm::Value* PrivateShadows::twin(llvm::Value* pointer) {
  if (auto known = twins_.find(pointer); known != twins_.end()) return known->second;
  auto* derived = llvm::cast<llvm::Instruction>(pointer);
  llvm::Value* base = twin(derived->getOperand(0));
  llvm::Instruction* made = derived->clone();
  made->setOperand(0, base);
  made->insertAfter(derived);
  twins_[pointer] = made;
  return made;
}

void PrivateShadows::load(llvm::LoadInst& load) {
  llvm::IntegerType* type = shadow_type(load.getType(), load.getDataLayout());
  if (!type) return;
  Builder b(load.getNextNode());
  loaded_[&load] = b.CreateAlignedLoad(type, twin(load.getPointerOperand()), load.getAlign());
}

void PrivateShadows::store(llvm::StoreInst& store, Shadows& shadows) {
  llvm::Value* value = store.getValueOperand();
  const llvm::DataLayout& layout = store.getDataLayout();
  if (is_automatic_initialisation(store, store.getPointerOperand()) || !shadow_type(value->getType(), layout)) {
    const bool begins = is_automatic_initialisation(store, store.getPointerOperand());
    Builder b(&store);
    fill(store, store.getPointerOperand(), begins ? 0xff : 0,
         b.getInt64(layout.getTypeStoreSize(value->getType()).getFixedValue()));
    return;
  }
  Builder b(store.getNextNode());
  b.CreateAlignedStore(shadows.exact(b, value), twin(store.getPointerOperand()), store.getAlign());
}

void PrivateShadows::fill(llvm::Instruction& behind, llvm::Value* pointer, uint8_t byte, llvm::Value* size) {
  Builder b(behind.getNextNode());
  b.CreateMemSet(twin(pointer), b.getInt8(byte), size, llvm::Align(1));
}

/// From one private variable to another, or from a constant.
void PrivateShadows::move(llvm::MemTransferInst& copy) {
  if (!twins_.contains(root_of(copy.getRawDest()))) return;
  if (is_automatic_initialisation(copy, copy.getRawDest()))
    return fill(copy, copy.getRawDest(), 0xff, copy.getLength());
  if (!twins_.contains(root_of(copy.getRawSource()))) return fill(copy, copy.getRawDest(), 0, copy.getLength());
  Builder b(copy.getNextNode());
  b.CreateMemMove(twin(copy.getRawDest()), llvm::Align(1), twin(copy.getRawSource()), llvm::Align(1), copy.getLength());
}

void PrivateShadows::use_by_hook(llvm::CallInst& call, llvm::Value* pointer) {
  const llvm::StringRef name = call.getCalledFunction()->getName();
  Builder b(call.getNextNode());
  if (name == "__plait_load_range" && call.getArgOperand(0) == pointer)
    hooks_.get_unwritten(b, twin(pointer), call.getArgOperand(1), call.getArgOperand(2));
  else if (name == "__plait_store_range" && call.getArgOperand(1) == pointer)
    hooks_.put_unwritten(b, call.getArgOperand(0), twin(pointer), call.getArgOperand(2));
}

void PrivateShadows::instrument(Shadows& shadows) {
  for (const Access& access : accesses_) {
    llvm::Instruction& instruction = *access.instruction;
    llvm::Type* written = nullptr;
    if (auto* found = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      store(*found, shadows);
    else if (auto* set = llvm::dyn_cast<llvm::MemSetInst>(&instruction))
      fill(*set, access.pointer, is_automatic_initialisation(*set, access.pointer) ? 0xff : 0, set->getLength());
    else if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction);
             copy && copy->getRawDest() == access.pointer)
      move(*copy);
    else if (auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      written = rmw->getType();
    else if (auto* cas = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      written = cas->getNewValOperand()->getType();
    else if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
             call && call->getCalledFunction() && !llvm::isa<llvm::IntrinsicInst>(call))
      use_by_hook(*call, access.pointer);
    else if (llvm::isa<llvm::VAStartInst, llvm::VACopyInst>(instruction))
      fill(instruction, access.pointer, 0, Builder(&instruction).getInt64(24));
    if (!written) continue;
    const uint64_t size = instruction.getDataLayout().getTypeStoreSize(written).getFixedValue();
    fill(instruction, access.pointer, 0, Builder(&instruction).getInt64(size));
  }
}

}  // namespace plait::instrument

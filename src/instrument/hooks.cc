#include "instrument/hooks.h"

#include "llvm/ADT/SmallString.h"

namespace plait::instrument {

Hooks::Hooks(llvm::Module& module)
    : module_(module),
      int_(llvm::Type::getInt32Ty(module.getContext())),
      void_(llvm::Type::getVoidTy(module.getContext())) {}

llvm::Value* Hooks::call(Builder& b, const llvm::Twine& name, llvm::Type* result,
                         llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::SmallVector<llvm::Type*, 6> types;
  for (llvm::Value* argument : arguments) types.push_back(argument->getType());
  auto* type = llvm::FunctionType::get(result, types, false);
  llvm::SmallString<32> text;
  llvm::FunctionCallee callee = module_.getOrInsertFunction(name.toStringRef(text), type);

  // The C convention: the caller extends small integers, and so does who returns them.
  auto small = [](llvm::Type* t) { return t->isIntegerTy(8) || t->isIntegerTy(16); };
  llvm::CallInst* made = b.CreateCall(callee, arguments);
  auto* function = llvm::dyn_cast<llvm::Function>(callee.getCallee());
  auto extend = [&](unsigned index) {
    if (function) function->addAttributeAtIndex(index, llvm::Attribute::get(b.getContext(), llvm::Attribute::ZExt));
    made->addAttributeAtIndex(index, llvm::Attribute::get(b.getContext(), llvm::Attribute::ZExt));
  };
  if (small(result)) extend(llvm::AttributeList::ReturnIndex);
  for (unsigned i = 0; i < types.size(); ++i)
    if (small(types[i])) extend(llvm::AttributeList::FirstArgIndex + i);
  if (function) function->setDoesNotThrow();
  made->setDoesNotThrow();
  return made;
}

llvm::Value* Hooks::loaded(Builder& b, const llvm::Twine& name, unsigned size, llvm::ArrayRef<llvm::Value*> arguments) {
  auto* pair = llvm::StructType::get(b.getIntNTy(size * 8), b.getInt64Ty());
  return b.CreateExtractValue(call(b, name, pair, arguments), 0);
}

llvm::Constant* Hooks::number(Order order) const { return llvm::ConstantInt::get(int_, static_cast<unsigned>(order)); }

llvm::Value* Hooks::load(Builder& b, llvm::Value* from, unsigned size, llvm::Constant* site) {
  return loaded(b, "__plait_load" + llvm::Twine(size), size, {from, site});
}

void Hooks::store(Builder& b, llvm::Value* to, llvm::Value* value, unsigned size, llvm::Constant* site) {
  call(b, "__plait_store" + llvm::Twine(size), void_, {to, value, site});
}

void Hooks::load_range(Builder& b, llvm::Value* temporary, llvm::Value* from, llvm::Value* size, llvm::Constant* site) {
  call(b, "__plait_load_range", void_, {temporary, from, size, site});
}

void Hooks::store_range(Builder& b, llvm::Value* to, llvm::Value* temporary, llvm::Value* size, llvm::Constant* site) {
  call(b, "__plait_store_range", void_, {to, temporary, size, site});
}

void Hooks::copy(Builder& b, llvm::Value* to, llvm::Value* from, llvm::Value* size, llvm::Constant* site) {
  call(b, "__plait_copy", void_, {to, from, size, site});
}

void Hooks::fill(Builder& b, llvm::Value* to, llvm::Value* byte, llvm::Value* size, llvm::Constant* site) {
  call(b, "__plait_fill", void_, {to, byte, size, site});
}

llvm::Value* Hooks::atomic_load(Builder& b, llvm::Value* from, unsigned size, Order order, llvm::Constant* site) {
  if (size > 8)
    return call(b, "__plait_atomic_load" + llvm::Twine(size), b.getIntNTy(size * 8), {from, number(order), site});
  return loaded(b, "__plait_atomic_load" + llvm::Twine(size), size, {from, number(order), site});
}

void Hooks::atomic_store(Builder& b, llvm::Value* to, llvm::Value* value, unsigned size, Order order,
                         llvm::Constant* site) {
  call(b, "__plait_atomic_store" + llvm::Twine(size), void_, {to, value, number(order), site});
}

llvm::Value* Hooks::atomic_rmw(Builder& b, llvm::Value* at, llvm::Value* operand, unsigned size, RmwKind kind,
                               Order order, llvm::Constant* site) {
  llvm::Constant* kind_number = llvm::ConstantInt::get(int_, static_cast<unsigned>(kind));
  return call(b, "__plait_atomic_rmw" + llvm::Twine(size), b.getIntNTy(size * 8),
              {at, operand, kind_number, number(order), site});
}

llvm::Value* Hooks::atomic_cas(Builder& b, llvm::Value* at, llvm::Value* expected, llvm::Value* desired, unsigned size,
                               Order order, Order failure_order, llvm::Constant* site) {
  return call(b, "__plait_atomic_cas" + llvm::Twine(size), b.getIntNTy(size * 8),
              {at, expected, desired, number(order), number(failure_order), site});
}

void Hooks::fence(Builder& b, Order order, FenceScope scope, llvm::Constant* site) {
  call(b, "__plait_fence", void_, {number(order), llvm::ConstantInt::get(int_, static_cast<int>(scope)), site});
}

void Hooks::handed(Builder& b, llvm::Value* memory, u32 how, llvm::Constant* site) {
  call(b, "__plait_handed", void_, {memory, llvm::ConstantInt::get(int_, how), site});
}

void Hooks::begin_turns(Builder& b, unsigned depth) { call(b, "__plait_begin_turns", void_, {b.getInt32(depth)}); }

llvm::Value* Hooks::turn(Builder& b, unsigned depth, llvm::Value* flags, llvm::Constant* site) {
  return b.CreateICmpNE(call(b, "__plait_turn", int_, {b.getInt32(depth), flags, site}), b.getInt32(0));
}

void Hooks::lifetime(Builder& b, bool begins, llvm::Value* variable, llvm::Value* size, llvm::Value* zones,
                     llvm::Constant* site) {
  call(b, begins ? "__plait_begin_life" : "__plait_end_life", void_, {variable, size, zones, site});
}

void Hooks::guard(Builder& b, llvm::Value* variable, llvm::Value* size, llvm::Value* zones, llvm::Constant* site) {
  call(b, "__plait_guard", void_, {variable, size, zones, site});
}

void Hooks::release_stack(Builder& b, llvm::Value* top) { call(b, "__plait_release_stack", void_, {top}); }

void Hooks::unwound(Builder& b) { call(b, "__plait_unwound", void_, {}); }

void Hooks::out_of_bounds(Builder& b, llvm::Value* offset, llvm::Value* size, bool writes, llvm::Value* object_size,
                          llvm::Constant* object, llvm::Constant* site) {
  call(b, "__plait_out_of_bounds", void_,
       {offset, size, llvm::ConstantInt::get(int_, writes), object_size, object, site});
}

bool Hooks::is_bounds_failure(const llvm::Instruction* instruction) {
  auto* call = llvm::dyn_cast_or_null<llvm::CallInst>(instruction);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == "__plait_out_of_bounds";
}

void Hooks::assembly(Builder& b, llvm::Constant* site) { call(b, "__plait_assembly", void_, {site}); }

void Hooks::unwritten(Builder& b, llvm::Value* variable, llvm::Value* size) {
  call(b, "__plait_unwritten", void_, {variable, size});
}

void Hooks::written(Builder& b, llvm::Value* memory) { call(b, "__plait_written", void_, {memory}); }

void Hooks::store_unwritten(Builder& b, llvm::Value* to, llvm::Value* bits, uint64_t size) {
  call(b, "__plait_store_unwritten", void_, {to, bits, b.getInt64(size)});
}

void Hooks::get_unwritten(Builder& b, llvm::Value* bits, llvm::Value* from, llvm::Value* size) {
  call(b, "__plait_get_unwritten", void_, {bits, from, size});
}

void Hooks::put_unwritten(Builder& b, llvm::Value* to, llvm::Value* bits, llvm::Value* size) {
  call(b, "__plait_put_unwritten", void_, {to, bits, size});
}

void Hooks::uninitialised(Builder& b, llvm::Value* bits, unsigned use, llvm::Constant* site) {
  call(b, "__plait_uninitialised", void_, {bits, llvm::ConstantInt::get(int_, use), site});
}

void Hooks::announce_new(Builder& b) {
  b.CreateStore(b.getInt8(1), module_.getOrInsertGlobal("__plait_own_new", b.getInt8Ty()));
}

void Hooks::uses_arguments(Builder& b) { call(b, "__plait_uses_arguments", void_, {}); }

llvm::Value* Hooks::label_hook(Builder& b, const char* name, llvm::Type* result,
                               llvm::ArrayRef<llvm::Value*> arguments) {
  return call(b, "__plait_label_" + llvm::Twine(name), result, arguments);
}

void Hooks::set_call_site(Builder& b, llvm::Constant* site) {
  llvm::Constant* variable = module_.getOrInsertGlobal("__plait_call_site", b.getPtrTy());
  b.CreateStore(site, variable);
}

void Hooks::set_user_site(Builder& b, llvm::Value* site) {
  b.CreateStore(site, module_.getOrInsertGlobal("__plait_user_site", b.getPtrTy()));
}

llvm::Value* Hooks::user_site(Builder& b) {
  return b.CreateLoad(b.getPtrTy(), module_.getOrInsertGlobal("__plait_user_site", b.getPtrTy()));
}

void Hooks::set_unknown_call(Builder& b, llvm::Constant* site) {
  b.CreateStore(site, module_.getOrInsertGlobal("__plait_unknown", b.getPtrTy()));
}

void Hooks::keep_unknown_call(Builder& b) {
  llvm::Constant* unknown = module_.getOrInsertGlobal("__plait_unknown", b.getPtrTy());
  llvm::Constant* opaque = module_.getOrInsertGlobal("__plait_opaque", b.getPtrTy());
  llvm::Value* left = b.CreateLoad(b.getPtrTy(), unknown);
  llvm::Value* before = b.CreateLoad(b.getPtrTy(), opaque);
  // A foreign library's call is told in any case (kForeignCall): later calls do not hide it.
  llvm::Value* foreign = b.CreateAnd(b.CreatePtrToInt(before, b.getInt64Ty()), b.getInt64(kForeignCall));
  llvm::Value* keep = b.CreateOr(b.CreateIsNull(left), b.CreateICmpNE(foreign, b.getInt64(0)));
  b.CreateStore(b.CreateSelect(keep, before, left), opaque);
  b.CreateStore(llvm::ConstantPointerNull::get(b.getPtrTy()), unknown);
}

bool Hooks::is_hook(llvm::StringRef name) {
  if (!name.consume_front("__plait_")) return false;
  if (name.starts_with("label_")) return true;
  if (name == "copy" || name == "fill" || name == "fence" || name == "assembly" || name == "handed" ||
      name == "begin_life" || name == "end_life" || name == "load_range" || name == "store_range" ||
      name == "out_of_bounds" || name == "guard" || name == "release_stack" || name == "unwound" ||
      name == "unwritten" || name == "written" || name == "store_unwritten" || name == "get_unwritten" ||
      name == "put_unwritten" || name == "uninitialised" || name == "turn" || name == "begin_turns")
    return true;
  if (name.consume_front("atomic_")) {
    if (!name.consume_front("load") && !name.consume_front("store") && !name.consume_front("rmw") &&
        !name.consume_front("cas"))
      return false;
  } else if (!name.consume_front("load") && !name.consume_front("store")) {
    return false;
  }
  unsigned size;
  return !name.getAsInteger(10, size);
}

}  // namespace plait::instrument

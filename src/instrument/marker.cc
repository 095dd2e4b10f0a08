#include "instrument/marker.h"

#include "llvm/IR/Constants.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace plait::instrument {

namespace {

constexpr llvm::StringRef kOwner("Plait\0\0", 8);  // 6 bytes with its end, padded to 8
constexpr llvm::StringRef kText("plait-instrumented v1\0\0", 24);
constexpr const char* kRuntimeSymbol = "__plait_abi_2";

/// One copy in the linked program, however many units have it.
llvm::GlobalVariable* add_once(llvm::Module& module, llvm::StringRef name, llvm::Constant* value) {
  auto* variable =
      new llvm::GlobalVariable(module, value->getType(), true, llvm::GlobalValue::LinkOnceODRLinkage, value, name);
  variable->setVisibility(llvm::GlobalValue::HiddenVisibility);
  variable->setComdat(module.getOrInsertComdat(name));
  return variable;
}

}  // namespace

void add_marker(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* number = llvm::Type::getInt32Ty(context);
  // An ELF note: size of the owner's name, size of the text, kind, name, text.
  llvm::Constant* note = llvm::ConstantStruct::getAnon(
      {llvm::ConstantInt::get(number, 6), llvm::ConstantInt::get(number, kText.size()),
       llvm::ConstantInt::get(number, 1), llvm::ConstantDataArray::getString(context, kOwner, false),
       llvm::ConstantDataArray::getString(context, kText, false)},
      true);
  llvm::GlobalVariable* marker = add_once(module, "__plait_note", note);
  marker->setSection(".note.plait");
  marker->setAlignment(llvm::Align(4));

  llvm::Constant* runtime = module.getOrInsertGlobal(kRuntimeSymbol, llvm::Type::getInt8Ty(context));
  llvm::GlobalVariable* reference = add_once(module, "__plait_abi_reference", runtime);
  llvm::appendToUsed(module, {marker, reference});
}

}  // namespace plait::instrument

#include "instrument/marker.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "trace/frames.h"

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

/// `__start_SECTION` or `__stop_SECTION` of the image that this unit becomes a part of; null without such a section.
llvm::Constant* bound(llvm::Module& module, const llvm::Twine& name) {
  auto* symbol = llvm::cast<llvm::GlobalVariable>(
      module.getOrInsertGlobal(name.str(), llvm::Type::getInt8Ty(module.getContext())));
  symbol->setLinkage(llvm::GlobalValue::ExternalWeakLinkage);
  symbol->setVisibility(llvm::GlobalValue::HiddenVisibility);
  return symbol;
}

/// Values travel in other registers than usual.
bool is_odd(llvm::CallingConv::ID convention) {
  switch (convention) {
    case llvm::CallingConv::C:
    case llvm::CallingConv::Fast:
    case llvm::CallingConv::Cold:
    case llvm::CallingConv::X86_64_SysV:
    case llvm::CallingConv::PreserveMost:
    case llvm::CallingConv::PreserveAll: return false;
    default: return true;
  }
}

/// setjmp and its kin, by name or built in: control comes back with registers of then and memory of now.
bool is_odd(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call) return false;
  const llvm::Intrinsic::ID intrinsic = call->getIntrinsicID();
  return is_odd(call->getCallingConv()) || call->hasFnAttr(llvm::Attribute::ReturnsTwice) ||
         intrinsic == llvm::Intrinsic::eh_sjlj_setjmp || intrinsic == llvm::Intrinsic::eh_sjlj_longjmp;
}

void note_odd_calls(llvm::Module& module) {
  bool odd = false;
  for (const llvm::Function& function : module) {
    odd |= is_odd(function.getCallingConv());
    for (const llvm::Instruction& instruction : llvm::instructions(function)) odd |= is_odd(instruction);
  }
  if (!odd) return;
  llvm::Type* byte = llvm::Type::getInt8Ty(module.getContext());
  llvm::GlobalVariable* note = add_once(module, "__plait_odd_calls", llvm::ConstantInt::get(byte, 1));
  note->setSection(frames::kOddSection);
  llvm::appendToUsed(module, {note});
}

}  // namespace

void register_tables(llvm::Module& module) {
  // Code of a shared library: the executable's is not compiled that way, or its tables are known already.
  if (module.getPICLevel() == llvm::PICLevel::NotPIC || module.getPIELevel() != llvm::PIELevel::Default) return;
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* nothing = llvm::Type::getVoidTy(context);
  constexpr const char* kName = "__plait_register_tables";
  auto* function = llvm::Function::Create(llvm::FunctionType::get(nothing, false),
                                          llvm::GlobalValue::LinkOnceODRLinkage, kName, module);
  function->setVisibility(llvm::GlobalValue::HiddenVisibility);
  function->setComdat(module.getOrInsertComdat(kName));
  llvm::SmallVector<llvm::Value*, 6> bounds;
  for (const char* section : {"plait_sites", "plait_globals", "plait_red_zones"})
    for (const char* end : {"__start_", "__stop_"}) bounds.push_back(bound(module, llvm::Twine(end) + section));
  const llvm::SmallVector<llvm::Type*, 6> types(6, llvm::PointerType::get(context, 0));
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "", function));
  b.CreateCall(module.getOrInsertFunction("__plait_module", llvm::FunctionType::get(nothing, types, false)), bounds);
  b.CreateRetVoid();
  llvm::appendToGlobalCtors(module, function, 0, function);
}

void add_marker(llvm::Module& module) {
  note_odd_calls(module);
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

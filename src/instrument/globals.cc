#include "instrument/globals.h"

#include "instrument/describe.h"
#include "instrument/sites.h"
#include "llvm/IR/Constants.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace plait::instrument {

namespace {

constexpr uint64_t kLarge = 64 * 1024;
constexpr unsigned kInData = 1, kInBss = 2;

bool is_restored(const llvm::GlobalVariable& variable) {
  return variable.hasInitializer() && !variable.isConstant() && !variable.isThreadLocal() && !variable.hasSection() &&
         !variable.hasAvailableExternallyLinkage() && !variable.hasAppendingLinkage() &&
         !variable.getName().starts_with("llvm.") && !variable.getName().starts_with("plait.") &&
         variable.getAddressSpace() == 0 && !(variable.use_empty() && variable.isDiscardableIfUnused());
}

}  // namespace

void move_globals(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::Type* word = llvm::Type::getInt64Ty(context);
  llvm::Type* number = llvm::Type::getInt32Ty(context);
  auto* row = llvm::StructType::get(context, {pointer, word, pointer, pointer, number, number});
  Strings strings(module);
  llvm::StringRef directory;
  for (const llvm::DICompileUnit* unit : module.debug_compile_units()) directory = unit->getDirectory();

  llvm::SmallVector<llvm::GlobalVariable*, 32> variables;  // the table's rows are globals too
  for (llvm::GlobalVariable& variable : module.globals())
    if (is_restored(variable)) variables.push_back(&variable);

  llvm::SmallVector<llvm::GlobalValue*, 32> rows;
  for (llvm::GlobalVariable* variable : variables) {
    const uint64_t size = module.getDataLayout().getTypeAllocSize(variable->getValueType()).getFixedValue();
    const bool large = size > kLarge && variable->getInitializer()->isNullValue();
    // -fcommon: a common symbol cannot have a section; a weak one merges with the other units' in the same way.
    if (variable->hasCommonLinkage()) variable->setLinkage(llvm::GlobalValue::WeakAnyLinkage);
    if (!large) variable->setSection("plait_data");
    const GlobalName name = name_of_global(*variable);
    llvm::Constant* fields = llvm::ConstantStruct::get(
        row, {variable, llvm::ConstantInt::get(word, size), strings.get(name.name),
              strings.get(name.file ? path_of(name.file, directory) : module.getSourceFileName()),
              llvm::ConstantInt::get(number, name.line), llvm::ConstantInt::get(number, large ? kInBss : kInData)});
    auto* entry =
        new llvm::GlobalVariable(module, row, false, llvm::GlobalValue::PrivateLinkage, fields, "plait.global");
    entry->setSection("plait_globals");
    entry->setAlignment(llvm::Align(8));
    // Goes when the linker keeps another unit's copy of the variable.
    if (variable->hasComdat()) entry->setComdat(variable->getComdat());
    rows.push_back(entry);
  }
  if (!rows.empty()) llvm::appendToUsed(module, rows);
}

}  // namespace plait::instrument

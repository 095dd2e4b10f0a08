#include "instrument/globals.h"

#include <utility>

#include "instrument/describe.h"
#include "instrument/red_zones.h"
#include "instrument/sites.h"
#include "instrument/type_text.h"
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

/// The tables that describe them.
class Tables {
 public:
  explicit Tables(llvm::Module& module) : module_(module) {}
  ~Tables() {
    if (!rows_.empty()) llvm::appendToUsed(module_, rows_);
  }

  void add(llvm::StringRef name, llvm::StringRef section, llvm::ArrayRef<llvm::Constant*> fields, llvm::Comdat* group) {
    llvm::Constant* row = llvm::ConstantStruct::getAnon(fields);
    auto* entry =
        new llvm::GlobalVariable(module_, row->getType(), false, llvm::GlobalValue::PrivateLinkage, row, name);
    entry->setSection(section);
    entry->setAlignment(llvm::Align(8));
    entry->setComdat(group);  // goes when the linker keeps another unit's copy of the variable
    rows_.push_back(entry);
  }

 private:
  llvm::Module& module_;
  llvm::SmallVector<llvm::GlobalValue*, 32> rows_;
};

}  // namespace

void move_globals(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* word = llvm::Type::getInt64Ty(context);
  llvm::Type* number = llvm::Type::getInt32Ty(context);
  Strings strings(module);
  llvm::StringRef directory;
  for (const llvm::DICompileUnit* unit : module.debug_compile_units()) directory = unit->getDirectory();

  llvm::SmallVector<llvm::GlobalVariable*, 32> variables;  // the table's rows are globals too
  for (llvm::GlobalVariable& variable : module.globals())
    if (is_restored(variable)) variables.push_back(&variable);

  Tables tables(module);
  auto add_zone = [&](llvm::GlobalVariable& variable, uint64_t size, uint64_t zone, llvm::Constant* name) {
    tables.add("plait.zone", "plait_red_zones",
               {&variable, llvm::ConstantInt::get(word, size), llvm::ConstantInt::get(word, zone), name},
               variable.getComdat());
  };
  bool is_first = true;
  for (llvm::GlobalVariable* variable : variables) {
    const uint64_t size = module.getDataLayout().getTypeAllocSize(variable->getValueType()).getFixedValue();
    const bool large = size > kLarge && variable->getInitializer()->isNullValue();
    // -fcommon: a common symbol cannot have a section; a weak one merges with the other units' in the same way.
    if (variable->hasCommonLinkage()) variable->setLinkage(llvm::GlobalValue::WeakAnyLinkage);
    const uint64_t zone = red_zone_size(*variable);
    if (zone) variable = add_red_zone(*variable, zone);
    // Each of plait_arrays has a red zone behind it, so all but the first have one in front of them.
    if (!large) variable->setSection(zone ? "plait_arrays" : "plait_data");
    if (zone && !large && std::exchange(is_first, false)) {
      llvm::GlobalVariable* front = add_leading_red_zone(*variable, "plait_arrays");
      const uint64_t bytes = module.getDataLayout().getTypeAllocSize(front->getValueType()).getFixedValue();
      add_zone(*front, 0, bytes, llvm::ConstantPointerNull::get(llvm::PointerType::get(context, 0)));
    }
    const GlobalName name = name_of_global(*variable);
    llvm::Constant* text = strings.get(name.name);
    tables.add("plait.global", "plait_globals",
               {variable, llvm::ConstantInt::get(word, size), text,
                strings.get(name.file ? path_of(name.file, directory) : module.getSourceFileName()),
                llvm::ConstantInt::get(number, name.line), llvm::ConstantInt::get(number, large ? kInBss : kInData)},
               variable->getComdat());
    if (zone) add_zone(*variable, size, zone, text);
    if (name.type)
      tables.add("plait.type", "plait_types",
                 {variable, strings.get(type_name(name.type)), strings.get(type_text(name.type))},
                 variable->getComdat());
  }
}

}  // namespace plait::instrument

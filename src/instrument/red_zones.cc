#include "instrument/red_zones.h"

#include <algorithm>

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"

namespace plait::instrument {

namespace {

constexpr uint64_t kUnit = 32, kMost = 4096;

/// Is this the definition that the program will have? A copy in a group takes its row of the table along when the
/// linker drops it; other weak definitions do not.
bool is_final(const llvm::GlobalVariable& variable) {
  if (!variable.hasComdat()) return variable.isStrongDefinitionForLinker();
  return (variable.hasLinkOnceODRLinkage() || variable.hasWeakODRLinkage()) &&
         variable.getComdat()->getName() == variable.getName();
}

llvm::ArrayType* bytes_type(const llvm::GlobalVariable& variable, uint64_t bytes) {
  return llvm::ArrayType::get(llvm::Type::getInt8Ty(variable.getContext()), bytes);
}

}  // namespace

uint64_t red_zone_size(const llvm::GlobalVariable& variable) {
  llvm::Type* type = variable.getValueType();
  if (!type->isAggregateType() || !is_final(variable)) return 0;
  const uint64_t size = variable.getParent()->getDataLayout().getTypeAllocSize(type).getFixedValue();
  if (size == 0) return 0;
  // The next variable's front follows without a hole.
  const uint64_t zone = std::clamp(size / 4, kUnit, kMost);
  return (size + zone + kUnit - 1) / kUnit * kUnit - size;
}

llvm::GlobalVariable* add_red_zone(llvm::GlobalVariable& variable, uint64_t bytes) {
  llvm::Constant* old = variable.getInitializer();
  llvm::ArrayType* zone = bytes_type(variable, bytes);
  auto* type = llvm::StructType::get(old->getType(), zone);
  llvm::Constant* value = llvm::ConstantStruct::get(type, {old, llvm::Constant::getNullValue(zone)});
  auto* guarded = new llvm::GlobalVariable(*variable.getParent(), type, false, variable.getLinkage(), value, "",
                                           &variable, variable.getThreadLocalMode(), variable.getAddressSpace());
  guarded->copyAttributesFrom(&variable);
  guarded->copyMetadata(&variable, 0);
  guarded->setComdat(variable.getComdat());
  guarded->setAlignment(variable.getParent()->getDataLayout().getPreferredAlign(&variable));
  guarded->takeName(&variable);
  variable.replaceAllUsesWith(guarded);
  variable.eraseFromParent();
  return guarded;
}

llvm::GlobalVariable* add_leading_red_zone(llvm::GlobalVariable& next, llvm::StringRef section) {
  llvm::Type* type = bytes_type(next, kUnit);
  auto* zone = new llvm::GlobalVariable(*next.getParent(), type, false, llvm::GlobalValue::PrivateLinkage,
                                        llvm::Constant::getNullValue(type), "plait.red_zone", &next);
  zone->setSection(section);
  zone->setAlignment(llvm::Align(kUnit));
  return zone;
}

}  // namespace plait::instrument

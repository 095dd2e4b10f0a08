#include "instrument/allocated_type.h"

#include "llvm/IR/Function.h"

namespace plait::instrument {
namespace {

/// The class of the function; null: it is no member.
const llvm::DICompositeType* class_of(const llvm::DISubprogram* function) {
  if (!function) return nullptr;
  if (const llvm::DISubprogram* declared = function->getDeclaration()) function = declared;
  return llvm::dyn_cast_if_present<llvm::DICompositeType>(function->getScope());
}

const llvm::DIType* type_of_allocator(const llvm::DISubprogram* function) {
  const llvm::DICompositeType* type = class_of(function);
  return type && type->getName().contains("allocator<") ? first_argument(*type) : nullptr;
}

}  // namespace

bool is_operator_new(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee && (callee->getName().starts_with("_Znw") || callee->getName().starts_with("_Zna"));
}

const llvm::DIType* first_argument(const llvm::DICompositeType& type) {
  for (const llvm::DITemplateParameter* argument : type.getTemplateParams())
    if (llvm::isa<llvm::DITemplateTypeParameter>(argument)) return argument->getType();
  return nullptr;
}

const llvm::DIType* allocated_type(const llvm::CallBase& call) {
  if (auto* said = llvm::dyn_cast_if_present<llvm::DIType>(call.getMetadata("heapallocsite"))) return said;
  if (!is_operator_new(call)) return nullptr;
  // The allocator's function may have been inlined.
  for (const llvm::DILocation* place = call.getDebugLoc(); place; place = place->getInlinedAt())
    if (const llvm::DIType* type = type_of_allocator(place->getScope()->getSubprogram())) return type;
  return nullptr;
}

}  // namespace plait::instrument

#include "instrument/type_path.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"

namespace plait::instrument {

namespace {

namespace dwarf = llvm::dwarf;

bool is_reserved(llvm::StringRef step) { return step.consume_front(".") && is_reserved_name(step); }

uint64_t bytes(const llvm::DIType* type) {
  type = plain_type(type);
  return type ? type->getSizeInBits() / 8 : 0;
}

std::string index_text(uint64_t constant, std::optional<VariableIndex>& index, uint64_t element) {
  std::string text = "[";
  if (index && index->scale == element) {
    text += index->name;
    if (constant != 0) text += " + " + std::to_string(constant);
    index.reset();
  } else {
    text += std::to_string(constant);
  }
  return text + "]";
}

/// Goes one step down; false when no part holds the bytes.
bool into_member(const llvm::DICompositeType& type, int64_t& offset, uint64_t size, TypePath& path) {
  const llvm::DIDerivedType* best = nullptr;
  for (const llvm::DINode* element : type.getElements()) {
    auto* member = llvm::dyn_cast<llvm::DIDerivedType>(element);
    if (!member || member->isStaticMember()) continue;
    if (member->getTag() != dwarf::DW_TAG_member && member->getTag() != dwarf::DW_TAG_inheritance) continue;
    // A bit-field is read and written with its neighbours: it is the one meant only if it fills the access.
    const uint64_t begin = member->getOffsetInBits(),
                   have = member->getSizeInBits() ? member->getSizeInBits() : bytes(member->getBaseType()) * 8;
    const uint64_t from = static_cast<uint64_t>(offset) * 8;
    if (begin > from || from + size * 8 > begin + have) continue;
    // In a union, the member of exactly this size.
    if (!best || bytes(member->getBaseType()) == size) best = member;
    if (type.getTag() != dwarf::DW_TAG_union_type) break;
  }
  if (!best) return false;
  offset -= static_cast<int64_t>(best->getOffsetInBits() / 8);
  if (best->getTag() == dwarf::DW_TAG_member && !best->getName().empty())
    path.steps.push_back("." + best->getName().str());
  path.type = best->getBaseType();
  return true;
}

bool into_array(const llvm::DICompositeType& type, int64_t& offset, uint64_t size, std::optional<VariableIndex>& index,
                TypePath& path) {
  uint64_t element = bytes(type.getBaseType());
  if (element == 0) return false;
  llvm::SmallVector<uint64_t, 2> sizes;  // of one step in each dimension
  const llvm::DINodeArray dimensions = type.getElements();
  for (unsigned i = dimensions.size(); i-- > 0;) {
    auto* range = llvm::dyn_cast<llvm::DISubrange>(dimensions[i]);
    auto* count = range ? llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount()) : nullptr;
    sizes.push_back(element);
    element *= count && count->getSExtValue() > 0 ? count->getZExtValue() : 1;
  }
  if (offset < 0 || size > bytes(type.getBaseType())) return false;
  for (uint64_t step : llvm::reverse(sizes)) {
    path.steps.push_back(index_text(static_cast<uint64_t>(offset) / step, index, step));
    offset %= static_cast<int64_t>(step);
  }
  path.type = type.getBaseType();
  return true;
}

}  // namespace

bool is_reserved_name(llvm::StringRef name) {
  return name.size() > 1 && name[0] == '_' && (name[1] == '_' || llvm::isUpper(name[1]));
}

const llvm::DIType* plain_type(const llvm::DIType* type) {
  while (auto* derived = llvm::dyn_cast_if_present<llvm::DIDerivedType>(type)) {
    switch (derived->getTag()) {
      case dwarf::DW_TAG_typedef:
      case dwarf::DW_TAG_const_type:
      case dwarf::DW_TAG_volatile_type:
      case dwarf::DW_TAG_restrict_type:
      case dwarf::DW_TAG_atomic_type:
      case dwarf::DW_TAG_template_alias: type = derived->getBaseType(); break;
      default: return type;
    }
  }
  return type;
}

bool is_reference(const llvm::DIType* type) {
  type = plain_type(type);
  return type &&
         (type->getTag() == dwarf::DW_TAG_reference_type || type->getTag() == dwarf::DW_TAG_rvalue_reference_type);
}

bool is_pointer(const llvm::DIType* type) {
  type = plain_type(type);
  return type && type->getTag() == dwarf::DW_TAG_pointer_type;
}

const llvm::DIType* pointee(const llvm::DIType* type) {
  if (!is_pointer(type) && !is_reference(type)) return nullptr;
  return plain_type(llvm::cast<llvm::DIDerivedType>(plain_type(type))->getBaseType());
}

std::optional<TypePath> type_path(const llvm::DIType* type, int64_t offset, uint64_t size,
                                  std::optional<VariableIndex> index) {
  if (offset < 0) return std::nullopt;
  TypePath path;
  path.type = type;
  if (size == 0) size = 1;
  // Past the end: something that the debug information does not describe. (An array without bounds has no size.)
  if (bytes(type) != 0 && !index && static_cast<uint64_t>(offset) + size > bytes(type)) return std::nullopt;
  while (auto* composite = llvm::dyn_cast_if_present<llvm::DICompositeType>(plain_type(path.type))) {
    const bool down = composite->getTag() == dwarf::DW_TAG_array_type
                          ? into_array(*composite, offset, size, index, path)
                          : into_member(*composite, offset, size, path);
    if (!down) break;
  }
  if (index) return std::nullopt;
  while (!path.steps.empty() && is_reserved(path.steps.back())) path.steps.pop_back();
  return path;
}

}  // namespace plait::instrument

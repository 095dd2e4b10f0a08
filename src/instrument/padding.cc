#include "instrument/padding.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"

namespace plait::instrument {

namespace {

using Bytes = llvm::BitVector;

void cover(Bytes& used, uint64_t begin, uint64_t end) {
  end = std::min<uint64_t>(end, used.size());
  if (begin < end) used.set(static_cast<unsigned>(begin), static_cast<unsigned>(end));
}

const llvm::DIType* stripped(const llvm::DIType* type) {
  for (;;) {
    auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type);
    if (!derived) return type;
    switch (derived->getTag()) {
      case llvm::dwarf::DW_TAG_typedef:
      case llvm::dwarf::DW_TAG_const_type:
      case llvm::dwarf::DW_TAG_volatile_type:
      case llvm::dwarf::DW_TAG_atomic_type: type = derived->getBaseType(); break;
      default: return type;
    }
  }
}

/// Bits `first` to `end` of the variable have the type. What is not known in full counts as used.
void cover_type(const llvm::DIType* type, uint64_t first, uint64_t end, Bytes& used) {
  type = stripped(type);
  auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
  const bool is_struct = composite && (composite->getTag() == llvm::dwarf::DW_TAG_structure_type ||
                                       composite->getTag() == llvm::dwarf::DW_TAG_class_type);
  if (!is_struct || composite->isForwardDecl()) return cover(used, first / 8, (end + 7) / 8);
  for (const llvm::DINode* element : composite->getElements()) {
    auto* member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(element);
    if (!member || member->isStaticMember()) continue;
    const bool base = member->getTag() == llvm::dwarf::DW_TAG_inheritance;
    if (base && member->isVirtual()) return cover(used, first / 8, (end + 7) / 8);
    if (!base && member->getTag() != llvm::dwarf::DW_TAG_member) continue;
    const llvm::DIType* inner = stripped(member->getBaseType());
    const uint64_t size = base && inner ? inner->getSizeInBits() : member->getSizeInBits();
    const uint64_t begin = first + member->getOffsetInBits();
    if (member->isBitField())
      cover(used, begin / 8, (begin + size + 7) / 8);
    else
      cover_type(inner, begin, begin + size, used);
  }
}

}  // namespace

llvm::BitVector padding_of(llvm::AllocaInst& variable) {
  const auto size = static_cast<unsigned>(variable.getAllocationSize(variable.getDataLayout())->getFixedValue());
  Bytes used(size);
  bool known = false;
  const auto look_at = [&](const llvm::DILocalVariable* described) {
    known |= described && described->getType();
    if (known) cover_type(described->getType(), 0, uint64_t{size} * 8, used);
  };
  // Either form, and either way to follow assignments.
  for (llvm::DbgVariableRecord* record : llvm::findDVRDeclares(&variable))
    if (record->getExpression()->getNumElements() == 0) look_at(record->getVariable());
  for (llvm::DbgDeclareInst* declare : llvm::findDbgDeclares(&variable))
    if (declare->getExpression()->getNumElements() == 0) look_at(declare->getVariable());
  for (llvm::DbgVariableRecord* record : llvm::at::getDVRAssignmentMarkers(&variable))
    if (record->getAddressExpression()->getNumElements() == 0 && !record->getFragment()) look_at(record->getVariable());
  for (llvm::DbgAssignIntrinsic* assign : llvm::at::getAssignmentMarkers(&variable))
    if (assign->getAddressExpression()->getNumElements() == 0 && !assign->getExpression()->getFragmentInfo())
      look_at(assign->getVariable());
  if (!known) return Bytes(size);
  return used.flip();
}

}  // namespace plait::instrument

// From a type's debug information and a byte offset to the way a programmer would write it: ".head.next", "[3]".
#pragma once
#include <optional>
#include <string>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace plait::instrument {

/// Names that only the implementation may use: _Upper, __anything.
bool is_reserved_name(llvm::StringRef name);
/// Through typedefs and qualifiers; null for void.
const llvm::DIType* plain_type(const llvm::DIType* type);
/// What a pointer or reference points to; null when it is no pointer or points to void.
const llvm::DIType* pointee(const llvm::DIType* type);
bool is_reference(const llvm::DIType* type);
bool is_pointer(const llvm::DIType* type);

/// A part of an index that is not constant: `scale` bytes per unit of the variable called `name`.
struct VariableIndex {
  uint64_t scale;
  std::string name;  // "..." when it has none
};

struct TypePath {
  llvm::SmallVector<std::string, 4> steps;  // ".name" or "[index]"
  const llvm::DIType* type = nullptr;       // of what the steps lead to
};

/// The innermost part of `type` that holds all of the bytes [offset, offset + size), with the variable index, if any,
/// used up; nothing when the offset lies outside of the type. Trailing names that are reserved to the implementation
/// are left out: the value of a std::atomic is the atomic, not its _M_i.
std::optional<TypePath> type_path(const llvm::DIType* type, int64_t offset, uint64_t size,
                                  std::optional<VariableIndex> index);

}  // namespace plait::instrument

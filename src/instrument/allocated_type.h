// What a call allocates, as its debug information says.
#pragma once
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstrTypes.h"

namespace plait::instrument {

bool is_operator_new(const llvm::CallBase& call);

/// Of a new-expression the type that it names, of an allocator's function the type that the allocator is for. Null: not
/// known.
const llvm::DIType* allocated_type(const llvm::CallBase& call);

/// The first type argument of a class template's instance; null: there is none.
const llvm::DIType* first_argument(const llvm::DICompositeType& type);

}  // namespace plait::instrument

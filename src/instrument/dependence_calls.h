// Who is called, and what is known of functions that no unit defines.
#pragma once
#include "llvm/IR/InstrTypes.h"
#include "trace/depends.h"

namespace plait::instrument {

/// Null if a pointer says which.
const llvm::Function* called_function(const llvm::CallBase& call);
/// A name for all functions of this type.
std::string type_name(const llvm::FunctionType& type);
bool is_long_jump(llvm::StringRef function);
depends::External kind_of_external(const llvm::Function& function);

}  // namespace plait::instrument

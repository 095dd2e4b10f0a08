// What mangled names of functions tell.
#pragma once
#include <cstdlib>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/Demangle/Demangle.h"

namespace plait::instrument {

/// What the library itself does, not what it is handed by the program: a predicate has a name of its own.
inline bool is_standard_library(llvm::StringRef name) {
  return name.starts_with("_ZNSt") || name.starts_with("_ZNKSt") || name.starts_with("_ZSt");
}

/// Without namespaces, classes and arguments; empty: not a function's.
inline std::string base_name(llvm::StringRef name) {
  llvm::ItaniumPartialDemangler parts;
  if (parts.partialDemangle(name.str().c_str()) || !parts.isFunction()) return {};
  size_t size = 0;
  char* base = parts.getFunctionBaseName(nullptr, &size);
  std::string result = base ? base : "";
  std::free(base);
  return result;
}

}  // namespace plait::instrument

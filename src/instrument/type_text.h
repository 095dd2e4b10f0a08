// What a type is made of, as a text that reports read (report/layout.h): offsets, sizes and names of its parts.
//
//   type   := '*' | '{' member ';' ... '}' | '[' stride type ']' | '<' stride type '>' | '()' | nothing
//   member := offset ',' size ',' name type       the name is empty where people do not write one
//
// Numbers are decimal. '*' is a pointer; "<...>" a std::vector or std::string: its first word points to its elements;
// "()" another container. Parts that nobody writes (bases, anonymous unions, the insides of the standard
// library) have no name.
#pragma once
#include <string>

#include "llvm/IR/DebugInfoMetadata.h"

namespace plait::instrument {

/// Best effort: types that are too large or too deep are told in part.
std::string type_text(const llvm::DIType* type);
/// Of an array of them.
std::string array_text(const llvm::DIType* type);
/// "bank::Account"; "" if it has no name.
std::string type_name(const llvm::DIType* type);

}  // namespace plait::instrument

// What inline assembly does, as far as its text shows: docs/memory-models.md says which instructions mean what.
#pragma once
#include <optional>

#include "llvm/IR/InlineAsm.h"
#include "trace/event.h"

namespace plait::instrument {

struct AssemblyEffect {
  std::optional<Order> fence;  // of all its instructions together; nothing: none of them is a fence
  bool unknown = false;        // may access memory in a way that nobody sees
};

AssemblyEffect effect_of(const llvm::InlineAsm& assembly);

}  // namespace plait::instrument

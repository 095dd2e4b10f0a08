#include "instrument/lifetimes.h"

#include "instrument/describe.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace plait::instrument {

Lifetimes collect_lifetimes(llvm::Function& function, Sites& sites, const ThreadLocals& thread_locals,
                            const UnsafeLocals& unsafe) {
  Lifetimes found;
  // What has no mark in a coroutine, or is large enough for red zones: its frame may be on the heap.
  const bool coroutine = function.isPresplitCoroutine();
  PrivateMemory memory(function, thread_locals);
  Describer describer(function);
  const auto exits = exits_of(function);
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (!variable || !variable->isStaticAlloca() || variable->isSwiftError() || variable->isUsedWithInAlloca())
      continue;
    if (memory.is_private(variable)) continue;
    const auto size = variable->getAllocationSize(function.getDataLayout());
    if (!size || size->isScalable() || size->isZero()) continue;
    const uint64_t bytes = size->getFixedValue();
    const Describer::Variable named = describer.variable(*variable, bytes);
    const Zones zones = !coroutine && unsafe.contains(*variable) ? zones_of(bytes, variable->getAlign()) : Zones{};
    auto add = [&](llvm::Instruction& at, bool begins) {
      found.push_back({&at, variable, bytes, zones, sites.site(at, named.name), begins});
      if (begins) sites.note_type(found.back().site, named.type);
    };
    bool marked = false;
    for (llvm::User* user : variable->users()) {
      auto* marker = llvm::dyn_cast<llvm::IntrinsicInst>(user);
      if (!marker || !marker->isLifetimeStartOrEnd()) continue;
      marked = true;
      add(*marker, marker->getIntrinsicID() == llvm::Intrinsic::lifetime_start);
    }
    if (coroutine) continue;
    if (!marked) add(*variable, true);
    // clang sets no marks in front of a musttail call.
    for (llvm::Instruction* exit : exits)
      if (!marked || llvm::isa<llvm::CallInst>(exit)) add(*exit, false);
  }
  return found;
}

void instrument_lifetimes(const Lifetimes& lifetimes, Hooks& hooks) {
  llvm::MapVector<llvm::AllocaInst*, Zones> guarded;
  for (const Lifetime& life : lifetimes) {
    Builder b(life.begins ? life.at->getNextNode() : life.at);
    hooks.lifetime(b, life.begins, life.variable, b.getInt64(life.size), b.getInt64(life.zones.packed()), life.site);
    if (life.zones.front) guarded[life.variable] = life.zones;
  }
  for (const auto& [variable, zones] : guarded) make_room(*variable, zones);
}

}  // namespace plait::instrument

// Which explorers are compared with the enumerator under TSO and PSO: one switch for each. Under SC all of them are.
#pragma once
#include <string_view>

#include "memory.h"

namespace sweep {

struct ExplorerSwitch {
  std::string_view explorer;  // as --explore spells it
  bool on;
};

inline constexpr ExplorerSwitch kWeakMemoryExplorers[] = {
    {"exhaustive", true}, {"cumulative", true}, {"dpor", true}, {"icb", true}, {"mcr", true},
};

constexpr bool is_compared(std::string_view explorer, MemoryModel model) {
  if (model == MemoryModel::SC) return true;
  for (const ExplorerSwitch& one : kWeakMemoryExplorers)
    if (one.explorer == explorer) return one.on;
  return false;
}

}  // namespace sweep

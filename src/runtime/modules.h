// The tables that compiled code brings along: those of the executable, and those of each shared library that was
// compiled with the wrapper (it says so when it is loaded). To the runtime they are one program.
#pragma once
#include "runtime/abi.h"
#include "runtime/layout.h"

namespace plait::runtime {

struct Module {
  const Site *sites, *sites_end;
  const GlobalVariable *globals, *globals_end;
  const RedZone *zones, *zones_end;
  u64 image_begin, image_end;  // libraries only: where it lies
  u32 first_site;              // its sites are numbered from there on
};

inline constexpr u32 kMaxModules = 32;
extern Module modules[kMaxModules];  // the executable comes first
extern u32 module_count;

/// In a shared library that was compiled with the wrapper.
inline bool in_library_image(u64 address) {
  for (u32 i = 1; i < module_count; ++i)
    if (address >= modules[i].image_begin && address < modules[i].image_end) return true;
  return false;
}

/// The place that a number stands for.
const Site* site_at(u32 offset);

}  // namespace plait::runtime

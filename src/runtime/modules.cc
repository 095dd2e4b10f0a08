#include "runtime/modules.h"

#include <link.h>

#include "runtime/process.h"

// Hidden: a library that the program uses has sections of the same names.
extern "C" {
extern const plait::Site __start_plait_sites[] __attribute__((weak, visibility("hidden")));
extern const plait::Site __stop_plait_sites[] __attribute__((weak, visibility("hidden")));
extern const plait::GlobalVariable __start_plait_globals[] __attribute__((weak, visibility("hidden")));
extern const plait::GlobalVariable __stop_plait_globals[] __attribute__((weak, visibility("hidden")));
extern const plait::RedZone __start_plait_red_zones[] __attribute__((weak, visibility("hidden")));
extern const plait::RedZone __stop_plait_red_zones[] __attribute__((weak, visibility("hidden")));
}

namespace plait::runtime {

// Constants: libraries say what they have before anything of the executable runs.
constinit Module modules[kMaxModules] = {{.sites = __start_plait_sites,
                                          .sites_end = __stop_plait_sites,
                                          .globals = __start_plait_globals,
                                          .globals_end = __stop_plait_globals,
                                          .zones = __start_plait_red_zones,
                                          .zones_end = __stop_plait_red_zones,
                                          .image_begin = 0,
                                          .image_end = 0,
                                          .first_site = 0}};
u32 module_count = 1;

namespace {

u64 bytes_between(const Site* begin, const Site* end) {
  return reinterpret_cast<u64>(end) - reinterpret_cast<u64>(begin);
}

/// The image that holds the module's sites.
int find_image(dl_phdr_info* info, size_t, void* raw) {
  auto& module = *static_cast<Module*>(raw);
  u64 begin = ~u64{0}, end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    const u64 first = info->dlpi_addr + header.p_vaddr, last = first + header.p_memsz;
    begin = first < begin ? first : begin;
    end = last > end ? last : end;
  }
  const u64 inside = reinterpret_cast<u64>(module.sites);
  if (inside < begin || inside >= end) return 0;
  module.image_begin = begin;
  module.image_end = end;
  return 1;
}

}  // namespace

u32 site_offset(const Site* site) {
  if (!site) return kNoSite;
  for (u32 i = 0; i < module_count; ++i) {
    const u64 offset = bytes_between(modules[i].sites, site);
    if (offset < bytes_between(modules[i].sites, modules[i].sites_end))
      return static_cast<u32>(modules[i].first_site + offset);
  }
  return kNoSite;
}

const Site* site_at(u32 offset) {
  for (u32 i = 0; i < module_count; ++i) {
    const u64 inside = offset - modules[i].first_site;
    if (offset >= modules[i].first_site && inside < bytes_between(modules[i].sites, modules[i].sites_end))
      return reinterpret_cast<const Site*>(reinterpret_cast<u64>(modules[i].sites) + inside);
  }
  return nullptr;
}

bool is_site(u64 address) {
  address &= ~u64{kLibrarySite};
  for (u32 i = 0; i < module_count; ++i) {
    const u64 offset = address - reinterpret_cast<u64>(modules[i].sites);
    if (offset < bytes_between(modules[i].sites, modules[i].sites_end) && offset % sizeof(Site) == 0) return true;
  }
  return false;
}

}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" void __plait_module(const Site* sites, const Site* sites_end, const GlobalVariable* globals,
                               const GlobalVariable* globals_end, const RedZone* zones, const RedZone* zones_end) {
  if (sites == modules[0].sites || sites == sites_end) return;  // the executable's own
  if (process.started || module_count == kMaxModules) die("too many shared libraries that were compiled with Plait");
  const Module& last = modules[module_count - 1];
  Module& fresh = modules[module_count];
  fresh = {.sites = sites,
           .sites_end = sites_end,
           .globals = globals,
           .globals_end = globals_end,
           .zones = zones,
           .zones_end = zones_end,
           .image_begin = 0,
           .image_end = 0,
           .first_site = last.first_site + static_cast<u32>(bytes_between(last.sites, last.sites_end))};
  dl_iterate_phdr(find_image, &fresh);
  ++module_count;
}

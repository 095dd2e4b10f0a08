#include "runtime/red_zones.h"

#include "runtime/local_zones.h"
#include "runtime/modules.h"
#include "runtime/scheduler.h"

namespace plait::runtime {
namespace {

u64 begin_of(const RedZone& zone) { return reinterpret_cast<u64>(zone.variable) + zone.variable_size; }

const RedZone* first_zone_from(u32 module) {
  while (module < module_count && modules[module].zones == modules[module].zones_end) ++module;
  return module < module_count ? modules[module].zones : nullptr;
}
const RedZone* first_zone() { return first_zone_from(0); }
const RedZone* next_zone(const RedZone* zone) {
  for (u32 i = 0; i < module_count; ++i)
    if (zone + 1 == modules[i].zones_end) return first_zone_from(i + 1);
  return zone + 1;
}

const RedZone* zone_at(u64 address) {
  for (const RedZone* zone = first_zone(); zone; zone = next_zone(zone))
    if (address - begin_of(*zone) < zone->size) return zone;
  return nullptr;
}

/// The variable that the zone lies right in front of, or null.
const RedZone* variable_behind(const RedZone& before) {
  for (const RedZone* zone = first_zone(); zone; zone = next_zone(zone))
    if (zone->name && reinterpret_cast<u64>(zone->variable) == begin_of(before) + before.size) return zone;
  return nullptr;
}

/// The variable that was meant: the one that the access begins in, else the nearer one.
const RedZone* variable_meant(const RedZone& zone, u64 address, u64 size) {
  if (address < begin_of(zone)) return &zone;
  const RedZone* next = variable_behind(zone);
  if (!next) return &zone;
  const u64 gap_before = address - begin_of(zone), gap_behind = begin_of(zone) + zone.size - address - size;
  return !zone.name || static_cast<long>(gap_behind) < static_cast<long>(gap_before) ? next : &zone;
}

}  // namespace

void mark_red_zones() {
  for (const RedZone* zone = first_zone(); zone; zone = next_zone(zone))
    __builtin_memset(active_of(begin_of(*zone)), kRedZone, zone->size);
}

void fail_in_red_zone(u64 address, u64 size, bool write, u32 site) {
  const RedZone* zone = nullptr;
  for (u64 i = 0; i < (size ? size : 1) && !zone; ++i) {
    if (!is_red(*active_of(address + i))) continue;
    if (in_zone(address)) fail_in_local_zone(address + i, address, size, write, site, FailureNote::Cause::History);
    zone = zone_at(address + i);
  }
  if (!zone) return;
  char action[48] = "synchronisation";
  if (size) __builtin_snprintf(action, sizeof action, "%s of %lu bytes", write ? "write" : "read", size);
  const RedZone* meant = variable_meant(*zone, address, size);
  fail({.kind = FailureKind::OutOfBounds, .site = site, .address = address},
       "%s at offset %ld of %s, a global variable of %lu bytes", action,
       static_cast<long>(address - reinterpret_cast<u64>(meant->variable)), meant->name ? meant->name : "?",
       meant->variable_size);
}

}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" void __plait_out_of_bounds(uint64_t offset, uint64_t size, int writes, uint64_t object_size,
                                      const char* object, const Site* site) {
  if (!run.active) return;
  fail({.kind = FailureKind::OutOfBounds, .site = site_offset(site)},
       "%s of %lu bytes at offset %ld of %s of %lu bytes", writes ? "write" : "read", size, static_cast<long>(offset),
       object, object_size);
}

// Places in the source, as compiled code names them.
#include "runtime/scheduler.h"

extern "C" {
extern const plait::Site __start_plait_sites[] __attribute__((weak));
extern const plait::Site __stop_plait_sites[] __attribute__((weak));
}

namespace plait::runtime {

u32 site_offset(const Site* site) {
  return site ? static_cast<u32>(reinterpret_cast<u64>(site) - reinterpret_cast<u64>(__start_plait_sites)) : kNoSite;
}

bool is_site(u64 address) {
  const u64 begin = reinterpret_cast<u64>(__start_plait_sites);
  address &= ~u64{kLibrarySite};
  return address >= begin && address < reinterpret_cast<u64>(__stop_plait_sites) &&
         (address - begin) % sizeof(Site) == 0;
}

u32 take_call_site() {
  const Site* site = __plait_call_site;
  __plait_call_site = nullptr;
  return user_view(site_offset(site), *run.current);
}

}  // namespace plait::runtime

// Places in the source, as compiled code names them.
#include "runtime/account.h"
#include "runtime/scheduler.h"

namespace plait::runtime {

u32 take_call_site() {
  const Site* site = __plait_call_site;
  __plait_call_site = nullptr;
  account::last_call = site_offset(site);
  return user_view(site_offset(site), *run.current);
}

}  // namespace plait::runtime

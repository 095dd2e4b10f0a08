// Places in the source, as compiled code names them.
#include "runtime/scheduler.h"

namespace plait::runtime {

u32 take_call_site() {
  const Site* site = __plait_call_site;
  __plait_call_site = nullptr;
  return user_view(site_offset(site), *run.current);
}

}  // namespace plait::runtime

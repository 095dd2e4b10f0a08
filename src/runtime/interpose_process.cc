// What belongs to the process as a whole: the mask of file modes.
#include <sys/stat.h>

#include "runtime/ghost.h"
#include "runtime/process.h"
#include "runtime/scheduler.h"
#include "runtime/system_state.h"

namespace plait::runtime {
namespace {

mode_t first_umask = 0;
bool umask_known = false, umask_changed = false;

}  // namespace

void reset_process_state() {
  if (umask_changed) PLAIT_REAL(umask)(first_umask);
  umask_changed = false;
}

}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

mode_t umask(mode_t mask) noexcept {
  replace(Ghost::Umask, 1u << 31 | mask);
  const mode_t before = PLAIT_REAL(umask)(mask);
  if (run.active && !umask_known) {
    umask_known = true;
    first_umask = before;
  }
  if (run.active) umask_changed = true;
  return before;
}
}

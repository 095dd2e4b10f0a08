// What belongs to the process as a whole: the working directory, the mask of file modes.
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/access.h"
#include "runtime/failure.h"
#include "runtime/ghost.h"
#include "runtime/heap.h"
#include "runtime/process.h"
#include "runtime/system_state.h"

namespace plait::runtime {
namespace {

mode_t first_umask = 0;
char first_directory[PATH_MAX];
bool known = false;
bool umask_changed = false, directory_changed = false;

void note_first() {
  first_umask = PLAIT_REAL(umask)(0);
  PLAIT_REAL(umask)(first_umask);
  if (!PLAIT_REAL(getcwd)(first_directory, sizeof first_directory)) first_directory[0] = 0;
  known = true;
}

/// What a change of directory leaves: the same wherever one came from.
void note_directory(int result) {
  if (result == 0 && run.active) directory_changed = true;
}

}  // namespace

void reset_process_state() {
  if (!known) note_first();
  if (umask_changed) PLAIT_REAL(umask)(first_umask);
  if (directory_changed && PLAIT_REAL(chdir)(first_directory) != 0) die("cannot go back to the directory that the program was started in");
  umask_changed = directory_changed = false;
}

}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

mode_t umask(mode_t mask) noexcept {
  replace(Ghost::Umask, 1u << 31 | mask);
  umask_changed |= run.active;
  return PLAIT_REAL(umask)(mask);
}

int chdir(const char* path) noexcept {
  if (!run.active) return PLAIT_REAL(chdir)(path);
  char copy[PATH_MAX];
  if (read_text(path, copy, sizeof copy, call_site()) == sizeof copy) {
    errno = ENAMETOOLONG;
    return -1;
  }
  change(Ghost::Directory, hash_of(copy));
  const int result = PLAIT_REAL(chdir)(copy);
  note_directory(result);
  return result;
}
int fchdir(int fd) noexcept {
  if (!run.active) return PLAIT_REAL(fchdir)(fd);
  change(Ghost::Directory, static_cast<u64>(fd));
  const int result = PLAIT_REAL(fchdir)(fd);
  note_directory(result);
  return result;
}
char* getcwd(char* to, size_t size) noexcept {
  if (!run.active) return PLAIT_REAL(getcwd)(to, size);
  const u32 site = call_site();
  look_at(Ghost::Directory);
  char path[PATH_MAX];
  if (!PLAIT_REAL(getcwd)(path, sizeof path)) return nullptr;
  const u64 length = strlen(path) + 1;
  if (to ? size < length : size != 0 && size < length) {
    errno = to && size == 0 ? EINVAL : ERANGE;
    return nullptr;
  }
  if (!to) {
    begin_operation();
    to = static_cast<char*>(allocate(size ? size : length, 1, site, true));
    if (!to) errno = ENOMEM;
  }
  if (to) store_range(reinterpret_cast<u64>(to), path, length, site);
  return to;
}
char* get_current_dir_name() noexcept { return getcwd(nullptr, 0); }
char* getwd(char* to) noexcept { return getcwd(to, PATH_MAX); }
int chroot(const char*) noexcept { unsupported("chroot"); }
}

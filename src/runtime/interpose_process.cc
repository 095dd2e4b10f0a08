// What belongs to the process as a whole: the working directory, the mask of file modes, limits, timers, loaded code.
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "runtime/access.h"
#include "runtime/failure.h"
#include "runtime/ghost.h"
#include "runtime/heap.h"
#include "runtime/process.h"
#include "runtime/result.h"
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
  if (directory_changed && PLAIT_REAL(chdir)(first_directory) != 0)
    die("cannot go back to the directory that the program was started in");
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

// No limit but that of core files can change without changing what the runtime itself may do.
int setrlimit(__rlimit_resource_t which, const rlimit* limit) noexcept {
  if (!run.active) return PLAIT_REAL(setrlimit)(which, limit);
  const rlimit wanted = take(limit);
  rlimit present;
  if (PLAIT_REAL(getrlimit)(which, &present) != 0) return -1;
  if (wanted.rlim_cur == present.rlim_cur && wanted.rlim_max == present.rlim_max) return 0;
  unsupported("setrlimit");
}
int setrlimit64(__rlimit_resource_t which, const rlimit64* limit) noexcept {
  return setrlimit(which, reinterpret_cast<const rlimit*>(limit));
}
int prlimit(pid_t id, __rlimit_resource which, const rlimit* limit, rlimit* old) noexcept {
  if (!run.active) return PLAIT_REAL(prlimit)(id, which, limit, old);
  unsupported("prlimit");
}
int setpriority(__priority_which_t which, id_t who, int priority) noexcept {
  if (!run.active) return PLAIT_REAL(setpriority)(which, who, priority);
  unsupported("setpriority");
}
int setitimer(__itimer_which_t which, const itimerval* wanted, itimerval* old) noexcept {
  if (!run.active) return PLAIT_REAL(setitimer)(which, wanted, old);  // the runtime's own
  unsupported("setitimer");
}
int prctl(int option, ...) noexcept {
  va_list arguments;
  va_start(arguments, option);
  const unsigned long a = va_arg(arguments, unsigned long), b = va_arg(arguments, unsigned long),
                      c = va_arg(arguments, unsigned long), d = va_arg(arguments, unsigned long);
  va_end(arguments);
  if (!run.active) return PLAIT_REAL(prctl)(option, a, b, c, d);
  if (option == PR_SET_NAME) return pthread_setname_np(pthread_self(), reinterpret_cast<const char*>(a));
  if (option == PR_GET_NAME) return pthread_getname_np(pthread_self(), reinterpret_cast<char*>(a), 16);
  unsupported("prctl");
}
int mprotect(void* address, size_t size, int protection) noexcept {
  if (!run.active) return PLAIT_REAL(mprotect)(address, size, protection);
  unsupported("mprotect");
}
int madvise(void* address, size_t size, int advice) noexcept {
  if (!run.active) return PLAIT_REAL(madvise)(address, size, advice);
  if (advice == MADV_NORMAL || advice == MADV_RANDOM || advice == MADV_SEQUENTIAL || advice == MADV_WILLNEED) return 0;
  unsupported("madvise");
}
int personality(unsigned long wanted) noexcept {
  if (!run.active || wanted == 0xffffffff) return PLAIT_REAL(personality)(wanted);
  unsupported("personality");
}
// A library that is loaded stays loaded, and its constructors run once.
void* dlopen(const char* path, int flags) noexcept {
  if (!run.active || !path) return PLAIT_REAL(dlopen)(path, flags);
  unsupported("dlopen");
}
}

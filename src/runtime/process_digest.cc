#include "runtime/process_digest.h"

#include <dirent.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "machine/value.h"
#include "runtime/float_modes.h"
#include "runtime/ghost.h"
#include "runtime/process.h"

extern "C" char** environ;

namespace plait::runtime {
namespace {

using machine::mix;

u64 environment() {
  u64 hash = reinterpret_cast<u64>(environ);
  for (char** entry = environ; entry && *entry; ++entry) hash = mix(hash, hash_of(*entry));
  return hash;
}

u64 directory() {
  char path[PATH_MAX];
  return hash_of(PLAIT_REAL(getcwd)(path, sizeof path));
}

u64 file_mask() {
  const mode_t mask = PLAIT_REAL(umask)(0);
  PLAIT_REAL(umask)(mask);
  return mask;
}

/// Which are open, on what, and where stdin stands. Others that were inherited may be moved by other processes at any
/// time.
u64 descriptors() {
  const int folder = PLAIT_REAL(open)("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return 0;
  alignas(8) char entries[4096];
  u64 hash = 0;
  for (long size; (size = PLAIT_REAL(syscall)(SYS_getdents64, folder, entries, sizeof entries)) > 0;) {
    for (long at = 0; at < size;) {
      auto* entry = reinterpret_cast<dirent64*>(entries + at);
      at += entry->d_reclen;
      const int fd = atoi(entry->d_name);
      struct stat status;
      if (entry->d_name[0] == '.' || fd == folder || PLAIT_REAL(fstat)(fd, &status) != 0) continue;
      u64 one = mix(mix(static_cast<u64>(fd), status.st_dev), status.st_ino);
      one = mix(one, static_cast<u64>(PLAIT_REAL(fcntl)(fd, F_GETFD)));
      if (fd == 0) one = mix(one, static_cast<u64>(PLAIT_REAL(lseek)(fd, 0, SEEK_CUR)));
      hash += one;  // in whatever order they come
    }
  }
  PLAIT_REAL(close)(folder);
  return hash;
}

u64 dispositions() {
  u64 hash = 0;
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action;
    if (PLAIT_REAL(sigaction)(number, nullptr, &action) != 0) continue;
    hash = mix(mix(hash, reinterpret_cast<u64>(action.sa_handler)), static_cast<u64>(action.sa_flags));
  }
  return hash;
}

u64 signal_mask() {
  sigset_t set;
  PLAIT_REAL(pthread_sigmask)(SIG_SETMASK, nullptr, &set);
  u64 word;
  memcpy(&word, &set, sizeof word);
  return word;
}

u64 limits() {
  u64 hash = 0;
  for (int which = 0; which < RLIMIT_NLIMITS; ++which) {
    rlimit limit{};
    PLAIT_REAL(getrlimit)(static_cast<__rlimit_resource_t>(which), &limit);
    hash = mix(mix(hash, limit.rlim_cur), limit.rlim_max);
  }
  return hash;
}

u64 priority() { return static_cast<u64>(PLAIT_REAL(getpriority)(PRIO_PROCESS, 0)); }

u64 timers() {
  itimerval real{}, profile{};
  PLAIT_REAL(getitimer)(ITIMER_REAL, &real);
  PLAIT_REAL(getitimer)(ITIMER_PROF, &profile);
  return static_cast<u64>(real.it_value.tv_sec | real.it_value.tv_usec | profile.it_value.tv_sec |
                          profile.it_value.tv_usec);
}

u64 owner() {
  uid_t user[3] = {};
  gid_t group[3] = {};
  getresuid(user, user + 1, user + 2);
  getresgid(group, group + 1, group + 2);
  u64 hash = mix(static_cast<u64>(getpgid(0)), static_cast<u64>(getsid(0)));
  for (int i = 0; i < 3; ++i) hash = mix(mix(hash, user[i]), group[i]);
  return hash;
}

u64 locale() { return hash_of(PLAIT_REAL(setlocale)(LC_ALL, nullptr)); }

/// Flags are nobody's business in a program that never looks at them.
u64 float_modes() {
  const FloatModes modes = read_float_modes();
  return process.float_modes ? modes.packed : modes.controls();
}

u64 streams() {
  return mix(mix(reinterpret_cast<u64>(stdin), reinterpret_cast<u64>(stdout)), reinterpret_cast<u64>(stderr));
}

u64 option_parsing() { return mix(mix(static_cast<u64>(optind), static_cast<u64>(opterr)), static_cast<u64>(optopt)); }

struct Part {
  const char* name;
  u64 (*digest)();
};
constexpr Part kParts[] = {
    {"the environment", environment},
    {"the working directory", directory},
    {"the file mode creation mask", file_mask},
    {"open files", descriptors},
    {"signal handlers", dispositions},
    {"the signal mask", signal_mask},
    {"resource limits", limits},
    {"the priority", priority},
    {"timers", timers},
    {"the process's user, group or session", owner},
    {"the locale", locale},
    {"floating-point modes", float_modes},
    {"stdin, stdout or stderr", streams},
    {"the state of getopt", option_parsing},
};
constexpr unsigned kPartCount = sizeof kParts / sizeof kParts[0];

u64 first[kPartCount];

}  // namespace

void note_first_start() {
  for (unsigned i = 0; i < kPartCount; ++i) first[i] = kParts[i].digest();
}

const char* changed_since_first_start() {
  for (unsigned i = 0; i < kPartCount; ++i)
    if (kParts[i].digest() != first[i]) return kParts[i].name;
  return nullptr;
}

}  // namespace plait::runtime

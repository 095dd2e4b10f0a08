// plait::check inside a program (include/plait_check.h): the program asks for a check of one of its own closures.
//
// The program that somebody started runs `plait check` on itself, with PLAIT_CHECK naming the closure: the how-many-th call it
// is. Each run of that check runs main up to that call, performs the closure there and ends.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/interpose.h"
#include "runtime/process.h"

using namespace plait::runtime;

namespace {

constexpr const char* kCheckVariable = "PLAIT_CHECK";
constexpr unsigned kMostArguments = 256;

/// waitpid() without errno or a scheduling point.
int wait_for(int child) {
  int status = 0;
  while (PLAIT_REAL(syscall)(SYS_wait4, child, &status, 0, nullptr) == -1 && errno == EINTR) continue;
  return status & 0x7f ? 128 + (status & 0x7f) : (status >> 8) & 0xff;
}

[[noreturn]] void become_command(const char* const* options, unsigned id, int output) {
  static char number[16], path[4096];
  __builtin_snprintf(number, sizeof number, "%u", id);
  setenv(kCheckVariable, number, 1);
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) PLAIT_REAL(_exit)(127);
  const char* command = getenv("PLAIT_COMMAND");
  static const char* words[kMostArguments + 8];
  unsigned used = 0;
  words[used++] = command ? command : "plait";
  words[used++] = "check";
  for (; *options && used < kMostArguments / 2; ++options) words[used++] = *options;
  words[used++] = path;
  words[used++] = "--";
  for (int i = 1; i < process.argc && used < kMostArguments; ++i) words[used++] = process.argv[i];
  dup2(output, 1);
  PLAIT_REAL(execvp)(words[0], const_cast<char* const*>(words));
  PLAIT_REAL(_exit)(127);
  __builtin_unreachable();
}

}  // namespace

extern "C" {

/// What call number `id` of plait::check is to do: 0 ask for a check, 1 perform the closure and go on, 2 perform it and
/// end the program, 3 skip it.
int __plait_check_role(unsigned id) {
  if (const char* wanted = getenv(kCheckVariable)) {
    const auto number = static_cast<unsigned>(atoi(wanted));
    return number == id ? 2 : number > id ? 3 : 1;
  }
  return process.worker ? 1 : 0;
}

/// Runs `plait check OPTIONS... this-program -- its arguments`; its standard output goes to `text` (cut to `size`, always
/// terminated). Returns its exit code; 127 when there is no such command.
int __plait_check_run(const char* const* options, unsigned id, char* text, unsigned long size) {
  text[0] = 0;
  const int output = memfd_create("plait-check", MFD_CLOEXEC);
  if (output < 0) return 127;
  const int child = PLAIT_REAL(fork)();
  if (child == 0) become_command(options, id, output);
  const int code = child < 0 ? 127 : wait_for(child);
  const long n = PLAIT_REAL(syscall)(SYS_pread64, output, text, size - 1, 0L);
  text[n > 0 ? n : 0] = 0;
  PLAIT_REAL(close)(output);
  return code;
}
}

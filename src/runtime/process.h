// What outlives a run: the connection with the engine, the functions of libc that ours stand in for, the executable's
// place.
#pragma once
#include "runtime/modules.h"
#include "trace/session.h"

struct _IO_FILE;

namespace plait::runtime {

struct Process {
  Session* session = nullptr;  // never null once started: without an engine a private one
  Channel* channel = nullptr;  // null without an engine
  u32 id = 0;                  // of this process
  u32 shared_seen = 0;         // how much of the session's log of shared ranges we know
  int critical = 0;            // > 0: a signal handler must not abandon the run now
  bool worker = false;
  bool started = false;      // main has been reached
  bool float_modes = false;  // it uses rounding modes or flags of floating-point units: each thread has its own
  bool retire = false;       // a run ended inside a library: this process cannot be trusted with another
  int argc = 0;
  char** argv = nullptr;
  char** envp = nullptr;
  int (*main)(int, char**, char**) = nullptr;
  u64 image_begin = 0, image_end = 0;        // the executable
  u64 standard_begin = 0, standard_end = 0;  // the shared library of C++
  u64 load_bias = 0;                         // its addresses minus those in the file
  u64 code_begin = 0, code_end = 0;          // its executable segments
  _IO_FILE* real_stdout = nullptr;
  _IO_FILE* real_stderr = nullptr;
};
extern Process process;

/// The program takes something from outside (input_kind), which is the same in every run: a verdict holds for that
/// only.
inline void note_input(u32 kind) {
  if (process.started && !(process.session->inputs & kind))
    __atomic_fetch_or(&process.session->inputs, kind, __ATOMIC_RELAXED);
}

/// Start-up failed: one line on the real stderr, exit code 70.
[[noreturn]] void die(const char* message);

/// Memory of libstdc++ itself, which lets threads use it at the same time.
inline bool in_standard_library(u64 address) {
  return address >= process.standard_begin && address < process.standard_end;
}

/// In the program: the executable, or a shared library that was compiled with the wrapper.
inline bool in_image(u64 address) {
  return (address >= process.image_begin && address < process.image_end) || in_library_image(address);
}

/// The function that ours stands in for. Looked up once.
void* real_function(const char* name);
#define PLAIT_REAL(name)                                                                           \
  ([]() -> decltype(&::name) {                                                                     \
    static decltype(&::name) found = nullptr;                                                      \
    if (!found) found = reinterpret_cast<decltype(&::name)>(plait::runtime::real_function(#name)); \
    return found;                                                                                  \
  }())

}  // namespace plait::runtime

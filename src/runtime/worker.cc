// Start-up, the run loop, and the protocol with the engine. Without an engine the program runs once, as usual.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/account.h"
#include "runtime/describe.h"
#include "runtime/entry.h"
#include "runtime/failure.h"
#include "runtime/frames.h"
#include "runtime/ghost.h"
#include "runtime/handed.h"
#include "runtime/labels.h"
#include "runtime/output.h"
#include "runtime/outside.h"
#include "runtime/process.h"
#include "runtime/process_digest.h"
#include "runtime/program_exit.h"
#include "runtime/red_zones.h"
#include "runtime/scheduler.h"
#include "runtime/signals.h"
#include "runtime/snapshot.h"
#include "runtime/system_state.h"

extern "C" {
extern char __libc_single_threaded;
extern int __plait_abi_2;
int __plait_abi_2 = 1;  // instrumented code refers to this: a runtime of another version does not link
}

namespace plait::runtime {

Process process;

void* real_function(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (!found) die("a function of the C library is missing");
  return found;
}

void die(const char* message) {
  dprintf(2, "plait: %s\n", message);
  PLAIT_REAL(_exit)(70);
  __builtin_unreachable();
}

namespace {

constexpr u32 kRunsBetweenLeakChecks = 4096;

constexpr u32 kStandaloneEvents = 1u << 16;

int find_code(dl_phdr_info* info, size_t, void*) {
  process.load_bias = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    const u64 begin = info->dlpi_addr + header.p_vaddr, end = begin + header.p_memsz;
    if (!process.image_begin || begin < process.image_begin) process.image_begin = begin;
    if (end > process.image_end) process.image_end = end;
    if (!(header.p_flags & PF_X)) continue;
    process.code_begin = begin;
    process.code_end = end;
  }
  return 1;
}

int find_standard_library(dl_phdr_info* info, size_t, void*) {
  if (!strstr(info->dlpi_name, "/libstdc++.so")) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    const u64 begin = info->dlpi_addr + header.p_vaddr, end = begin + header.p_memsz;
    if (!process.standard_begin || begin < process.standard_begin) process.standard_begin = begin;
    if (end > process.standard_end) process.standard_end = end;
  }
  return 1;
}

/// getenv() before libc has been initialised.
const char* variable_of(char** environment, const char* name) {
  const size_t length = strlen(name);
  for (; *environment; ++environment)
    if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=') return *environment + length + 1;
  return nullptr;
}

void* map_inherited(const char* text) {
  if (!text) return nullptr;
  const int fd = atoi(text);
  struct stat status;
  if (fstat(fd, &status) != 0) die("the engine's shared memory is missing");
  void* memory = mmap(nullptr, static_cast<size_t>(status.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) die("cannot map the engine's shared memory");
  return memory;
}

void attach(char** environment) {
  process.session = static_cast<Session*>(map_inherited(variable_of(environment, kSessionFdVariable)));
  process.channel = static_cast<Channel*>(map_inherited(variable_of(environment, kChannelFdVariable)));
  process.worker = process.channel != nullptr;
  if (!process.session) {
    process.session = static_cast<Session*>(mmap(nullptr, kLabelsOffset + sizeof(LabelTables), PROT_READ | PROT_WRITE,
                                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    process.session->identity_count = 1;
    process.session->options.passthrough = 1;
    return;
  }
  if (process.session->magic != kSessionMagic || process.session->version != kSessionVersion)
    die("this program was compiled by another version of Plait: compile it again");
}

/// Addresses must be the fixed ones (layout.h). The engine sees to that for its workers; a program that somebody starts
/// directly, such as a configure test, starts itself once more.
void fix_addresses(char** arguments, char** environment) {
  constexpr unsigned long kAsk = 0xffffffff;
  const int now = personality(kAsk);
  if (now != -1 && (now & ADDR_NO_RANDOMIZE)) return;
  // The kernel takes the flag away again from a program that gains privileges: it would start itself for ever.
  if (getauxval(AT_SECURE)) die("a program with special privileges (set-uid, capabilities) cannot run instrumented");
  if (now == -1 || personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) == -1 ||
      !(personality(kAsk) & ADDR_NO_RANDOMIZE))
    die("cannot switch address-space randomisation off: personality() is refused here (a container's seccomp "
        "profile?)");
  execve("/proc/self/exe", arguments, environment);
  die("cannot start itself again without address-space randomisation: is /proc mounted?");
}

/// Runs before every constructor of the program: instrumented code needs the shadow from its first access on.
void early_start(int, char** arguments, char** environment) {
  fix_addresses(arguments, environment);
  dl_iterate_phdr(find_code, nullptr);
  dl_iterate_phdr(find_standard_library, nullptr);
  attach(environment);
  if (process.worker) attach_frames();
  const char* class_fd = variable_of(environment, kClassFdVariable);
  map_shadow(class_fd ? atoi(class_fd) : -1);
  mark_red_zones();
  __libc_single_threaded = 0;  // shared_ptr would use plain counters
  redirect_output();
}

__attribute__((section(".preinit_array"), used)) void (*early_start_entry)(int, char**, char**) = early_start;

void main_entry(void*) {
  take_outside_inputs();
  announce_call(reinterpret_cast<const void*>(process.main));
  const int code = process.main(process.argc, process.argv, process.envp);
  leave_main(code);
}

/// Everything is as it was when main was about to be called for the first time.
void restore_start() {
  restore_snapshot();
  forget_fibers();
  reset_handed();
  reset_boot_blocks();
  reset_system_state();
  reset_environment();
  reset_library_state();
  reset_process_state();
  reset_signals();
  reset_ghosts();
  reset_program_exit();
  static bool noted = false;
  if (!noted) note_first_start();
  noted = true;
}

void run_once() {
  restore_start();
  catch_up_with_session();
  start_fiber(fibers[0], 0, main_entry);
  const FloatModes float_modes = process.float_modes ? read_float_modes() : FloatModes();
  run.current = &fibers[0];
  run.active = true;
  __plait_context_switch(&run.loop, &fibers[0].context);
  // Back here by end_run().
  if (process.float_modes) switch_float_modes(read_float_modes(), float_modes);
  run.active = false;
  const bool was_read = stdin->_IO_read_end != stdin->_IO_read_base || (stdin->_flags & _IO_EOF_SEEN);
  if (was_read && !is_free_input(0)) note_input(input_kind::kFiles);  // by whatever function
  settle_free_input();
  finish_output();
}

void futex(u32* word, int operation, u32 value) {
  const int saved = errno;
  PLAIT_REAL(syscall)(SYS_futex, word, operation, value, nullptr, nullptr, 0);
  errno = saved;
}

void hand_over(Channel& channel) {
  __atomic_store_n(&channel.turn, Channel::kEngine, __ATOMIC_RELEASE);
  futex(&channel.turn, FUTEX_WAKE, 1);
}

/// A wait on a condition that turned out to be shared is an operation on its mutex, too: both are visible, or none.
/// Other runs see to that when they wait (synchronise); one that records everything does not know before its end.
void share_mutexes_of_waits() {
  for (u32 i = 0; i < run.event_count; ++i) {
    const Event& event = run.events[i];
    if ((event.op == Op::CondWait || event.op == Op::CondWake) && *class_of(event.location) == kShared &&
        *class_of(event.operand) != kShared)
      make_shared(event.operand);
  }
}

/// Likewise accesses of which some bytes turned out to be shared after they were made: all of their bytes are
/// (shadow.cc).
void share_rest_of_accesses() {
  for (bool grew = true; grew;) {
    grew = false;
    for (u32 i = 0; i < run.event_count; ++i) {
      const Event& event = run.events[i];
      if (event.op != Op::Load && event.op != Op::Store && event.op != Op::Rmw && event.op != Op::Cas) continue;
      u32 shared = 0;
      for (u64 a = event.location; a < event.location + event.size; ++a) shared += *class_of(a) == kShared;
      if (shared == 0 || shared == event.size) continue;
      for (u64 a = event.location; a < event.location + event.size; ++a) make_shared(a);
      grew = true;
    }
  }
}

/// What a run has shown that may not be real: the loops as they are written will tell.
void count_turns_after_guess() {
  const bool shows = run.status == RunStatus::Failed ||
                     (run.status == RunStatus::Complete && process.session->options.outputs_visible);
  if (!run.guessed || !shows) return;
  process.session->counts_turns = 1;
  run.turns_found = true;
}

void serve(Channel& channel, const Request& request, Reply& reply, u32& event_cursor, u32& text_cursor,
           u32& failure_cursor) {
  auto* base = reinterpret_cast<char*>(&channel);
  reset_run();
  run.schedule = reinterpret_cast<Choice*>(base + channel.choices_offset) + request.schedule;
  run.schedule_size = request.choices;
  while (run.schedule_size && run.schedule[run.schedule_size - 1].kind == Choice::Asleep) --run.schedule_size;
  run.sleeping_stores = request.choices - run.schedule_size;
  run.claim = request.claim;
  run.tail = request.tail;
  run.random = request.seed * 0x9e3779b97f4a7c15ull + 0x2545f4914f6cdd1dull;
  run.seed = request.seed;
  run.change_points = request.change_points;
  run.length = request.length;
  run.sleep = request.sleep;
  run.sleeping = request.tail == Tail::Sleep && run.schedule_size == 0;
  run.report_from = request.flags & request_flag::kAllEvents ? 0 : request.report_from;
  run.everything = request.flags & request_flag::kEverything;
  run.again = request.flags & request_flag::kAgain;
  run.goes_on = request.flags & request_flag::kGoOn;
  run.states = request.flags & request_flag::kStates;
  if (request.flags & request_flag::kLabels) follow_reads();
  begin_account(request.flags & request_flag::kAccount);
  run.memory = machine::rules_of(process.session->options.memory_model);
  run.counts_turns = process.session->counts_turns;
  __plait_watch_states = run.states;
  run.max_events = request.max_events;
  run.events = reinterpret_cast<Event*>(base + channel.events_offset) + event_cursor;
  run.event_capacity = static_cast<u32>(channel.events_capacity) - event_cursor;
  run.more = reinterpret_cast<Failure*>(base + channel.failures_offset) + failure_cursor;
  run.more_capacity = static_cast<u32>(channel.failures_capacity) - failure_cursor;
  channel.running_first_event = event_cursor;
  channel.running_events = 0;
  run_once();
  if (run.everything) {
    share_mutexes_of_waits();
    share_rest_of_accesses();
  }

  count_turns_after_guess();
  reply.status = run.status;
  reply.sharing_grew = (run.sharing_grew && !run.everything) || run.clock_found ||
                       run.turns_found;  // a trace of everything misses nothing
  reply.unpredictable = run.unpredictable                          ? Unpredictable::Unexplained
                        : run.handed_shared || has_shared_handed() ? Unpredictable::ByUnseenCode
                                                                   : Unpredictable::No;
  reply.guessed = run.guessed;
  reply.opaque_site = run.opaque_reason ? run.opaque_site : kNoSite;
  reply.opaque[0] = 0;
  if (run.opaque_reason) __builtin_snprintf(reply.opaque, sizeof reply.opaque, "%s", run.opaque_reason);
  reply.events = run.event_count;
  reply.first_event = event_cursor;
  reply.skipped = run.skipped;
  reply.points = run.points;
  reply.exit_code = run.exit_code;
  reply.switches = run.switches;
  reply.output = text_cursor;
  reply.output_size =
      take_output(base + channel.text_offset + text_cursor, static_cast<u32>(channel.text_capacity) - text_cursor);
  if (run.status == RunStatus::Failed || run.status == RunStatus::Diverged) reply.failure = run.failure;
  reply.more_failures = run.status == RunStatus::Failed ? run.more_count : 0;
  reply.first_more_failure = failure_cursor;
  event_cursor += run.event_count;
  text_cursor += reply.output_size;
  reply.account = text_cursor;
  reply.account_size =
      take_account(base + channel.text_offset + text_cursor, static_cast<u32>(channel.text_capacity) - text_cursor);
  text_cursor += reply.account_size;
  failure_cursor += reply.more_failures;
}

/// Would another run begin as the first one did?
void notice_leaks() {
  restore_start();
  Session& session = *process.session;
  if (const char* what = changed_since_first_start())
    __builtin_snprintf(session.leaked, sizeof session.leaked, "%s", what);
}

/// That takes a hundred system calls: after the first batch, now and then, and when the process ends. What is found
/// late is found all the same, since one finding makes the whole check void.
void notice_leaks_now_and_then(u32 runs) {
  static u32 runs_left = 0;
  if (runs_left > runs) {
    runs_left -= runs;
    return;
  }
  notice_leaks();
  runs_left = kRunsBetweenLeakChecks;
}

[[noreturn]] void work(Channel& channel) {
  if (channel.magic != kSessionMagic) die("this program was compiled by another version of Plait: compile it again");
  prepare_account();
  __atomic_store_n(&channel.ready, 1, __ATOMIC_RELEASE);
  futex(&channel.ready, FUTEX_WAKE, 1);
  for (;;) {
    u32 turn;
    while ((turn = __atomic_load_n(&channel.turn, __ATOMIC_ACQUIRE)) == Channel::kEngine)
      futex(&channel.turn, FUTEX_WAIT, Channel::kEngine);
    if (turn == Channel::kQuit) {
      notice_leaks();
      _exit(0);
    }
    u32 events = 0, text = 0, failures = 0;
    watch_progress(true);
    while (channel.done < channel.requests) {
      const Request& request = channel.request[channel.done];
      const bool room = events == 0 || (events + request.max_events + 1024 < channel.events_capacity &&
                                        text + kOutputLimit < channel.text_capacity &&
                                        failures + kMaxThreads <= channel.failures_capacity);
      if (!room) break;
      serve(channel, request, channel.reply[channel.done], events, text, failures);
      __atomic_store_n(&channel.done, channel.done + 1, __ATOMIC_RELEASE);
      if (process.retire) _exit(kRetireStatus);
    }
    watch_progress(false);
    notice_leaks_now_and_then(channel.done);
    hand_over(channel);
  }
}

/// No engine: one run under the default schedule, real output, the program's exit code.
[[noreturn]] void run_standalone() {
  static Event* events = static_cast<Event*>(mmap(nullptr, sizeof(Event) * kStandaloneEvents, PROT_READ | PROT_WRITE,
                                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  reset_run();
  run.events = events;
  run.report_from = ~0u;  // nothing is kept
  run.max_events = ~0u - 1;
  run.event_capacity = kStandaloneEvents;
  run_once();
  if (run.status == RunStatus::Failed) {
    dprintf(2, "plait: %s\n", run.failure.message);
    _exit(134);
  }
  _exit(run.exit_code);
}

int start(int argc, char** argv, char** envp) {
  process.argc = argc;
  process.argv = argv;
  process.envp = envp;
  process.id = static_cast<u32>(PLAIT_REAL(syscall)(SYS_getpid));
  if (const char* path = getenv(kDescribeVariable)) {
    describe(path);
    _exit(0);
  }
  find_outside_inputs(envp);
  install_signal_handlers();
  install_terminate_handler();
  take_snapshot();
  run.loop.fs_base = read_fs_base();
  process.started = true;
  if (process.worker) work(*process.channel);
  run_standalone();
}

}  // namespace
}  // namespace plait::runtime

extern "C" void __plait_uses_float_modes() { plait::runtime::process.float_modes = true; }

extern "C" int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(),
                                 void (*fini)(), void (*rtld_fini)(), void* stack_end) {
  using Start = int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  auto* real = reinterpret_cast<Start>(plait::runtime::real_function("__libc_start_main"));
  plait::runtime::process.main = main;
  return real(plait::runtime::start, argc, argv, init, fini, rtld_fini, stack_end);
}

#include "runtime/failure.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "runtime/account.h"
#include "runtime/process.h"
#include "runtime/red_zones.h"
#include "runtime/scheduler.h"
#include "runtime/signals.h"
#include "runtime/waiting_loop.h"

// The runtime's own code (runtime.ld).
extern "C" {
extern const char __start_plait_rt_text[];
extern const char __stop_plait_rt_text[];
}

namespace plait::runtime {
namespace {

constexpr int kTicksPerSecond = 10;
constexpr u32 kTicksPerWatch = 5;  // how often a quiet thread is looked at
u32 quiet_ticks = 0;
u32 last_points = 0;
char signal_stack[64 * 1024];

bool in_hook(u64 address) {
  return address >= reinterpret_cast<u64>(__start_plait_rt_text) &&
         address < reinterpret_cast<u64>(__stop_plait_rt_text);
}

bool in_program_code(u64 address) { return address >= process.code_begin && address < process.code_end; }

/// The program's address behind a fault in our shadow of it.
u64 program_address(u64 fault) {
  for (const Range& range : kShadowed) {
    if (range.begin >= kZone || !(fault & kActiveBits)) continue;
    const u64 a = fault ^ kActiveBits;
    if (a < range.end) return a;
  }
  // Any shadow address of an unmapped program address: undo the flip if that lands in user space outside of the shadow.
  const u64 a = fault ^ kActiveBits;
  if ((fault >> 44) == 0x2 || (fault >> 44) == 0x3) return a;
  return fault;
}

const char* signal_name(int number) {
  switch (number) {
    case SIGSEGV: return "SIGSEGV (invalid memory access)";
    case SIGBUS: return "SIGBUS (invalid memory access)";
    case SIGFPE: return "SIGFPE (arithmetic error, such as a division by zero)";
    case SIGILL: return "SIGILL (illegal instruction, or code that the compiler proved unreachable)";
    case SIGTRAP: return "SIGTRAP";
    case SIGABRT: return "SIGABRT";
    default: return "signal";
  }
}

/// Where in the source? A faulting hook still has its site in an argument register; else the last call into a library
/// tells.
u32 nearest_site(const ucontext_t* context) {
  constexpr int kArguments[] = {REG_RSI, REG_RDX, REG_RCX, REG_R8, REG_R9};
  if (context)
    for (const int name : kArguments) {
      const auto value = static_cast<u64>(context->uc_mcontext.gregs[name]);
      if (is_site(value)) return site_offset(reinterpret_cast<const Site*>(value));
    }
  return take_call_site();
}

void on_crash(int number, siginfo_t* info, void* raw) {
  leave_crashed_walk();
  auto* context = static_cast<ucontext_t*>(raw);
  const u64 instruction = static_cast<u64>(context->uc_mcontext.gregs[REG_RIP]);
  const u64 fault = reinterpret_cast<u64>(info->si_addr);
  if (!run.active) {
    signal(number, SIG_DFL);
    return;
  }
  if (has_handler(number)) unsupported("a handler of the program for a crash");
  // A crash inside a library may leave its locks taken: this process is not to be trusted after this run.
  if (!in_program_code(instruction)) process.retire = true;
  const u32 site = in_hook(instruction)           ? nearest_site(context)
                   : in_program_code(instruction) ? kNoSite
                                                  : nearest_site(nullptr);
  const u64 stack = slice(run.current->id) + kStackOffset;
  if (number == SIGSEGV && fault >= stack && fault < stack + kPage)
    fail({.kind = FailureKind::StackOverflow, .site = site, .address = fault}, "stack overflow in T%u",
         run.current->id);
  // Sent by somebody, or the processor does not say which address.
  if (number == SIGSEGV && (info->si_code == SI_KERNEL || info->si_code <= 0))
    fail({.kind = FailureKind::Crash, .site = site, .address = instruction - process.load_bias, .is_code = true},
         "SIGSEGV (an address that cannot exist, an instruction that programs may not use, or sent as a signal)");
  if (number == SIGSEGV || number == SIGBUS) {
    const u64 address = program_address(fault);
    if (address < 65536)
      fail({.kind = FailureKind::NullDereference, .site = site, .address = address},
           address ? "access to address 0x%lx: null pointer dereference" : "null pointer dereference", address);
    fail({.kind = FailureKind::Crash, .site = site, .address = address}, "%s at address 0x%lx", signal_name(number),
         address);
  }
  fail({.kind = number == SIGABRT ? FailureKind::Abort : FailureKind::Crash,
        .site = site,
        .address = instruction - process.load_bias,
        .is_code = true},
       "%s", signal_name(number));
}

void on_tick(int, siginfo_t*, void* raw) {
  if (!run.active) return;
  if (run.points != last_points) {
    last_points = run.points;
    quiet_ticks = 0;
    return;
  }
  if (process.critical) return;
  const u32 limit = process.session->options.loop_seconds * kTicksPerSecond;
  ++quiet_ticks;
  if (quiet_ticks == limit || (quiet_ticks < limit && quiet_ticks % kTicksPerWatch == 1))
    begin_watching(quiet_ticks == limit);
  if (quiet_ticks < limit + kTicksPerWatch) return;
  quiet_ticks = 0;
  auto* context = static_cast<ucontext_t*>(raw);
  if (!in_program_code(static_cast<u64>(context->uc_mcontext.gregs[REG_RIP]))) process.retire = true;
  fail_endless(nearest_site(nullptr));
}

}  // namespace

namespace {

/// Does the schedule end with how far a thread gets, whoever fails before?
bool outlives_failures(ThreadId thread) {
  if (!run.again || run.claim.kind == Claim::Endless) return false;
  if (run.claim.is_race()) return true;
  if (run.schedule_size == 0) return false;
  const Choice& last = run.schedule[run.schedule_size - 1];
  return last.position == kNextPoint && last.thread != thread;
}

/// Must the run end, or can the others go on?
bool ends_run(FailureKind kind) {
  switch (kind) {
    case FailureKind::Deadlock:
    case FailureKind::Livelock:
    case FailureKind::Race:
    case FailureKind::ExitWithThreads:
    case FailureKind::Unsupported:
    case FailureKind::Divergence:
    case FailureKind::OutOfResources: return true;
    default: break;
  }
  if (process.retire || run.for_another || run.init_phase) return true;
  if (run.goes_on) return false;
  return !outlives_failures(run.current->id);
}

bool is_obstacle(FailureKind kind) {
  return kind == FailureKind::Unsupported || kind == FailureKind::Divergence || kind == FailureKind::OutOfResources;
}

/// Where to write it down: the first one of a run is the reply's own, and so is one that makes the others worthless.
Failure& next_failure(FailureKind kind) {
  if (!(run.failed || run.deadlocked) || !run.goes_on || is_obstacle(kind) || run.more_count == run.more_capacity)
    return run.failure;
  return run.more[run.more_count++];
}

}  // namespace

namespace {

Failure& write_down(const FailureNote& note, const char* format, va_list arguments) {
  Failure& failure = next_failure(note.kind);
  failure.kind = note.kind;
  failure.thread = run.current->id;
  failure.site =
      note.site == kNoSite ? kNoSite : user_view(note.site, *run.current);  // without a site the address tells more
  failure.address = note.address;
  failure.is_code = note.is_code;
  failure.claim = note.claim;
  failure.claimed_at = run.endless_from ? run.endless_from - 1 : run.points;
  failure.by_order = note.cause != FailureNote::Cause::History;
  failure.other_site = note.other_site;
  failure.event = run.skipped + run.event_count;
  vsnprintf(failure.message, sizeof failure.message, format, arguments);
  return failure;
}

}  // namespace

void note_failure(const FailureNote& note, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write_down(note, format, arguments);
  va_end(arguments);
}

void fail(const FailureNote& note, const char* format, ...) {
  // The schedule does not fit any more, but that is for a reason that is known.
  if (run.failed && !run.goes_on && note.kind == FailureKind::Divergence) end_run(RunStatus::Failed);
  va_list arguments;
  va_start(arguments, format);
  const Failure& failure = write_down(note, format, arguments);
  va_end(arguments);
  account_failure();
  if (!run.active) die(failure.message);
  const u8 refused = note.cause == FailureNote::Cause::Operation ? event_flag::kRefused : u8{0};
  const bool is_last =
      run.event_count > 0 && run.memory.owner(run.events[run.event_count - 1].thread) == failure.thread;
  if (is_last || (run.event_count > 0 && !run.failed))
    run.events[run.event_count - 1].flags |= event_flag::kFailed | refused;
  if (process.session->options.break_on_failure) {
    run.active = false;  // what the debugger's user calls must not be scheduled
    __builtin_debugtrap();
  }
  if (!ends_run(note.kind)) {
    run.failed |= bit(run.current->id);
    stop_for_good();
  }
  if (is_obstacle(note.kind)) run.more_count = 0;
  end_run(run.status == RunStatus::Diverged ? RunStatus::Diverged : RunStatus::Failed);
}

void unsupported(const char* what) {
  fail({.kind = FailureKind::Unsupported, .site = take_call_site()}, "%s is not supported: Plait cannot control it",
       what);
}

void fail_endless(u32 site) {
  fail({.kind = FailureKind::InfiniteLoop, .site = site},
       "T%u ran for %u seconds of CPU time without touching anything shared", run.current->id,
       process.session->options.loop_seconds);
}

void fail_foreign_thread() {
  constexpr char kMessage[] =
      "instrumented code runs on a thread that Plait did not create (started by a library that was not compiled with "
      "plait)";
  if (process.channel) {
    Channel& channel = *process.channel;
    Reply& reply = channel.reply[channel.done];
    reply = Reply{};
    reply.status = RunStatus::Failed;
    reply.first_event = channel.running_first_event;
    reply.failure.kind = FailureKind::Unsupported;
    reply.failure.site = reply.failure.other_site = kNoSite;
    __builtin_memcpy(reply.failure.message, kMessage, sizeof kMessage);
    __atomic_store_n(&channel.done, channel.done + 1, __ATOMIC_RELEASE);
    PLAIT_REAL(_exit)(kRetireStatus);
  }
  die(kMessage);
}

void fail_outside_block(u64 address, u64 size, bool write, u32 site, FailureNote::Cause cause) {
  fail_in_red_zone(address, size, write, site);
  char action[48] = "synchronisation";
  if (size) __builtin_snprintf(action, sizeof action, "%s of %lu bytes", write ? "write" : "read", size);
  const BlockHeader* block = find_block(address);
  if (block && block->state == BlockState::Freed && address < block_address(block) + block->size &&
      address + (size ? size : 1) > block_address(block))
    fail({.kind = FailureKind::UseAfterFree,
          .site = site,
          .address = address,
          .other_site = block->free_site,
          .cause = cause},
         "%s at offset %ld of a block of %lu bytes that T%u has freed", action,
         static_cast<long>(address - block_address(block)), block->size, block->free_thread);
  if (block)
    fail({.kind = FailureKind::HeapOverflow,
          .site = site,
          .address = address,
          .other_site = block->alloc_site,
          .cause = cause},
         "%s at offset %ld of a block of %lu bytes", action, static_cast<long>(address - block_address(block)),
         block->size);
  fail({.kind = FailureKind::HeapOverflow, .site = site, .address = address, .cause = cause},
       "%s in heap that was never allocated", action);
}

void install_signal_handlers() {
  stack_t stack = {.ss_sp = signal_stack, .ss_flags = 0, .ss_size = sizeof signal_stack};
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = on_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  for (const int number : kCrashes) sigaction(number, &action, nullptr);
  if (!process.session->options.break_on_failure) sigaction(SIGTRAP, &action, nullptr);
  action.sa_sigaction = on_tick;
  action.sa_flags |= SA_RESTART;
  sigaction(SIGVTALRM, &action, nullptr);
}

void watch_progress(bool on) {
  const long period = on && process.session->options.loop_seconds ? 1000000 / kTicksPerSecond : 0;
  const itimerval timer = {{0, period}, {0, period}};
  setitimer(ITIMER_VIRTUAL, &timer, nullptr);
}

}  // namespace plait::runtime

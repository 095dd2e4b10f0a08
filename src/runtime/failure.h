// How a run that failed ends: the failure is noted and control goes back to the run loop, wherever the program was.
#pragma once
#include "machine/sync.h"
#include "trace/event.h"

namespace plait::runtime {

struct FailureNote {
  FailureKind kind;
  u32 site = kNoSite;
  u64 address = 0;
  u32 other_site = kNoSite;
  bool is_code = false;  // Failure::is_code
  Claim claim = {};      // that has turned out to be true
  enum class Cause : u8 {
    History,    // the thread would have failed here, whatever others do
    Operation,  // the last event cannot be performed because of what others did
    Order,      // what others did explains it, and the last event (if it is the thread's) has its result
  } cause = Cause::History;
};

/// Notes the failure and abandons the run. The message is printf-like.
[[noreturn]] void fail(const FailureNote& note, const char* format, ...) __attribute__((format(printf, 2, 3)));

/// The same in a run that goes on. Whose failure it is must be marked by the caller.
void note_failure(const FailureNote& note, const char* format, ...) __attribute__((format(printf, 2, 3)));

/// The program called something that we cannot control.
[[noreturn]] void unsupported(const char* what);

/// The current thread has not come to a visible operation for too long.
[[noreturn]] void fail_endless(u32 site);

/// Instrumented code runs on a thread that was created behind our back: nothing can be trusted any more, the process
/// ends.
[[noreturn]] void fail_foreign_thread();

/// An access touched heap memory that is not (or no longer) allocated, or a red zone. Size 0: synchronisation.
[[noreturn]] void fail_outside_block(u64 address, u64 size, bool write, u32 site,
                                     FailureNote::Cause cause = FailureNote::Cause::History);

void install_signal_handlers();
/// Starts or stops the watch for runs without visible operations.
void watch_progress(bool on);

}  // namespace plait::runtime

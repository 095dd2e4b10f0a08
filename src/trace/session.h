// The shared memory between the engine and one program under test ("session" and "channel").
//
// One session is created by the engine (a memfd) and inherited by all workers. It holds what all workers must
// agree on: thread identities, which bytes are shared, options. Each worker also has one channel: a batch of
// requests in, a batch of replies out. Plain data only; both sides see it at different addresses.
#pragma once
#include "trace/event.h"

namespace plait {

inline constexpr u32 kSessionMagic = 0x504c4131;  // changes with the layout: an old binary is refused
inline constexpr u32 kSessionVersion = 18;
inline constexpr u32 kBatch = 256;

// Environment variables that make an instrumented program a worker. Without them it runs once, normally.
inline constexpr const char* kSessionFdVariable = "PLAIT_SESSION_FD";
inline constexpr const char* kChannelFdVariable = "PLAIT_CHANNEL_FD";
inline constexpr const char* kClassFdVariable = "PLAIT_CLASS_FD";   // memfd of the class map, see runtime/shadow.h
inline constexpr const char* kDescribeVariable = "PLAIT_DESCRIBE";  // write the site and variable tables there and exit

/// (parent, index of the fork within the parent) -> thread number. Append-only; `used` is published last.
struct Identity {
  ThreadId parent;
  u8 pad;
  u16 fork_index;
};

/// Bytes that two threads use, one of them writing: append-only log, each worker catches up before each run.
struct SharedRange {
  u64 begin;
  u32 size;
  u32 ready;  // 0: free; 1: begin and size are written; else the process that is about to write them
};

inline constexpr u32 kMaxSharedRanges = 1u << 18;
inline constexpr u8 kSharedClass = 255;  // in the class map (runtime/shadow.h): the byte is shared

struct SessionOptions {
  MemoryModel memory_model;
  u8 spurious_wakeups;
  u8 outputs_visible;       // --outcomes: writing to stdout is a scheduling point
  u8 passthrough;           // replay: the program's output goes to the real descriptors
  u8 break_on_failure;      // replay --gdb: raise SIGTRAP in the failing thread, at the failure
  u8 exit_with_threads;     // a program that ends while threads run fails; else that is noted only
  u8 ignore_uninitialised;  // a value that nobody has written may decide something
  u8 pad;
  u32 loop_seconds;   // CPU seconds without a visible operation: InfiniteLoop
  u32 run_megabytes;  // what a run may allocate; 0: no limit of ours
};

/// Stores of this site count as if they had this order.
struct StrongStore {
  u32 site;
  Order order;
};
inline constexpr u32 kMaxStrongStores = 64;

/// Something legal that runs have shown and that a reader may want to know, without the schedule. Unsupported: code
/// that was not compiled with the wrapper ran, called at `site`.
struct Note {
  FailureKind kind;
  ThreadId thread, other;
  u8 ready;  // 1 when the rest is written
  u32 site, other_site;
};
inline constexpr u32 kMaxNotes = 64;

/// What the program took from outside, which is the same in every run.
namespace input_kind {
inline constexpr u32 kNondet = 1;     // __VERIFIER_nondet_*
inline constexpr u32 kArguments = 2;  // main looks at its parameters
inline constexpr u32 kFiles = 4;      // standard input, files
inline constexpr u32 kEnvironment = 8;
inline constexpr u32 kRandom = 16;  // rand, getrandom ...
inline constexpr u32 kClock = 32;
}  // namespace input_kind

struct Session {
  u32 magic;
  u32 version;
  SessionOptions options;
  u32 identity_lock;   // the process that holds it, 0: none. The engine takes it from a process that has died
  u32 identity_count;  // entry 0 is main
  Identity identity[kMaxThreads];
  u32 clock_matters;  // some thread has looked at a clock: its time is part of its state
  u32 counts_turns;   // loops that try a few times do so as often as is written: see runtime/turns.h
  u32 strong_count;   // changes only while no worker runs
  StrongStore strong[kMaxStrongStores];
  char leaked[64];  // what a run has left behind for later ones to see, in words; empty: nothing
  u32 inputs;       // a set of input_kind: what any run has used
  u32 note_count;   // slots handed out; two workers may note the same
  Note note[kMaxNotes];
  u32 shared_count;  // slots in use; each is ready when its `ready` is 1
  SharedRange shared[kMaxSharedRanges];
};  // the LabelTables follow (trace/labels.h)

/// The size of a heap block stands in front of it. It counts as shared memory where one and the same history of a
/// thread frees blocks of different sizes there (runtime/heap.h).
inline constexpr u64 kBlockSizeOffset = 32;

/// Adds to the log. `process` is the caller's, which may be killed at any moment: the engine then gives back what it
/// has not finished (host/session_memory.cc). False: the log is full.
inline bool log_shared_range(Session& session, u64 begin, u32 size, u32 process) {
  u32 slot = __atomic_load_n(&session.shared_count, __ATOMIC_ACQUIRE);
  for (; slot < kMaxSharedRanges; ++slot) {
    u32 unused = 0;
    if (__atomic_compare_exchange_n(&session.shared[slot].ready, &unused, process, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
      break;
  }
  if (slot >= kMaxSharedRanges) return false;
  session.shared[slot].begin = begin;
  session.shared[slot].size = size;
  __atomic_store_n(&session.shared[slot].ready, 1, __ATOMIC_RELEASE);
  u32 count = __atomic_load_n(&session.shared_count, __ATOMIC_ACQUIRE);
  while (count < slot + 1 && !__atomic_compare_exchange_n(&session.shared_count, &count, slot + 1, false,
                                                          __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
  }
  return true;
}

namespace request_flag {
inline constexpr u8 kAllEvents = 1;   // ignore report_from
inline constexpr u8 kEverything = 2;  // after the first fork every hooked operation is visible, shared or not: the
                                      // trace shows what will turn out to be shared, too
inline constexpr u8 kStates = 4;      // events carry the fingerprints of their threads (state_low, state_high)
inline constexpr u8 kAgain =
    8;  // the schedule is that of an earlier run, which may have known of fewer shared bytes: stores that
        // did not wait then leave their buffers as soon as they are in the way. A thread that fails
        // stops for good, the others go on, if the schedule ends with another thread's kNextPoint or claims a race
inline constexpr u8 kGoOn = 16;     // a thread that fails stops for good, the others go on: the reply has all failures
inline constexpr u8 kAccount = 32;  // the reply also says who called whom, and what addresses are: runtime/account.cc
inline constexpr u8 kLabels =
    64;  // what the thread reads is a symbol, and the trace says what it does with it (Op::Label)
}  // namespace request_flag

struct Request {
  u32 schedule;     // index of the first Choice in the channel's choices
  u32 choices;      // how many
  u32 report_from;  // events that are scheduling points before this one (0-based) need not be reported
  u32 max_events;
  u64 seed;
  ThreadSet sleep;  // Tail::Sleep: the sleep set when the schedule's last entry is about to be performed (its own step
                    // wakes those that depend on it)
  Tail tail;
  u8 flags;
  u8 change_points;  // Tail::Pct: how often the priority of the running thread drops below all others
  u8 pad;
  u32 length;  // Tail::Pct: the change points are drawn from this many scheduling points
  Claim claim;
};

/// Why a run cannot be predicted from others, only run.
enum class Unpredictable : u8 {
  No,
  ByUnseenCode,  // a library works on memory that threads share; the events behind which it does have kUnseen
  Unexplained,   // threads shared something that traces do not show (the position of a stream)
};

struct Reply {
  RunStatus status;
  u8 sharing_grew;  // this run found new shared bytes: its trace misses earlier accesses to them
  Unpredictable unpredictable;
  u8 guessed;  // a loop has run out earlier than it might have: see runtime/turns.h. What it shows may not be real;
               // others will
  u32 events;  // reported events, at `first_event`
  u32 first_event;  // index in the channel's event area
  u32 skipped;      // events not reported (report_from)
  u32 points;       // scheduling points of the whole run
  u32 output;       // offset of the captured stdout in the text area
  u32 output_size;
  u32 account;  // likewise of what kAccount asks for
  u32 account_size;
  i32 exit_code;
  u32 switches;     // context switches of the run
  u32 opaque_site;  // kStates: the first call that may keep state which nobody sees; kNoSite: none, or not known where
  char opaque[64];  // and why a thread has no fingerprints from there on; empty: all have
  u32 more_failures;       // kGoOn: of other threads, later in the run
  u32 first_more_failure;  // index in the channel's failure area
  Failure failure;         // valid when status is Failed or Diverged
};

/// Exit status of a worker that leaves between two runs and wants to be replaced (a run had ended inside a library):
/// `done` counts, the rest of the batch must be sent to its successor.
inline constexpr int kRetireStatus = 77;

/// Ownership of a channel goes back and forth through `turn`, a futex word:
///   engine writes requests, sets turn = kWorker, wakes;  worker runs, writes replies, sets turn = kEngine, wakes.
/// The worker publishes `done` after each run and writes events straight into the event area, so that what a
/// crashed or hung worker did last can still be read.
struct Channel {
  static constexpr u32 kEngine = 0, kWorker = 1, kQuit = 2;
  u32 magic;
  u32 turn;
  u32 ready;     // set by the worker when it has started
  u32 requests;  // in this batch
  u32 done;      // runs finished in this batch; fewer than requests if the event area was full: send the rest again
  u32 running_events;  // events written so far by the run under way (index `done`)
  u32 running_first_event;
  u32 pad;
  u64 choices_offset, choices_capacity;  // byte offset from the channel's start, capacity in elements
  u64 events_offset, events_capacity;
  u64 text_offset, text_capacity;
  u64 failures_offset, failures_capacity;
  u64 size;  // bytes of the whole channel
  Request request[kBatch];
  Reply reply[kBatch];
};

}  // namespace plait

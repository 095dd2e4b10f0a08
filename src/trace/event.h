// Operations, events and schedules: the words in which the runtime and the engine talk.
// Plain data, no STL (see types.h): the same bytes lie in shared memory between the two processes.
#pragma once
#include "trace/types.h"

namespace plait {

/// What a thread does in one visible step. The names are those of docs/architecture.md; the meaning of each
/// (when it is enabled, what it returns) is defined in machine/.
enum class Op : u8 {
  None,
  // Memory. Every size up to 16 bytes.
  Load,
  Store,
  Rmw,  // detail: RmwKind
  Cas,  // compare and swap; value is what was read
  Fence,
  Free,   // end of a heap block's life: a write to all of its bytes
  Flush,  // TSO, PSO: a buffered store reaches memory. thread: the buffer; position: that of the store; extra: set of
          // possible args
  // Threads. Fork, Begin, End, Join (when possible) are performed at once: see docs/architecture.md, "free steps".
  Fork,  // location: the child's number; value: its clock; operand: its routine; extra: the routine's argument
  Begin,
  End,   // operand: the thread's result
  Join,  // location: the child's number; value: its result, if asked for (detail 1)
  Yield,
  Exit,  // the whole program ends
  // Mutexes (also spin locks). TimedLock: value 0 or ETIMEDOUT.
  Lock,
  TryLock,
  TimedLock,
  Unlock,
  MutexInit,
  MutexDestroy,
  // Reader-writer locks.
  ReadLock,
  TryReadLock,
  TimedReadLock,
  WriteLock,
  TryWriteLock,
  TimedWriteLock,
  RwUnlock,
  RwInit,
  RwDestroy,
  // Condition variables: a wait is two or three steps (Wait, then Wake; Wake may be a time-out, then Reacquire).
  CondWait,   // releases the mutex, joins the waiters
  CondWake,   // value: 0 woken, ETIMEDOUT, EINTR (spurious)
  Reacquire,  // takes the mutex again after a time-out or a spurious wake-up
  Signal,     // arg: the waiter that it wakes
  Broadcast,
  CondInit,
  CondDestroy,
  // Semaphores.
  SemWait,
  SemTryWait,
  SemTimedWait,
  SemPost,
  SemValue,
  SemInit,
  SemDestroy,
  // Barriers: two steps.
  BarrierArrive,
  BarrierLeave,
  BarrierInit,
  BarrierDestroy,
  // pthread_once, C++ static guards: Enter returns 1 to the thread that must run the initialiser.
  OnceEnter,
  OnceLeave,
  // Futex (std::atomic::wait, latch, semaphore, future ...).
  FutexWait,    // value: 0 now waiting, EAGAIN the word differed
  FutexWake,    // value: 0 woken, ETIMEDOUT
  FutexNotify,  // arg: the waiter that it wakes; operand: how many at most
  // Others.
  Output,       // text written to stdout: extra bytes at offset operand of the run's output. Only when outcomes are
                // collected
  Input,        // a read from a stream or descriptor that threads share: its position is state that traces do not show
  AtomicBegin,  // until AtomicEnd no other thread steps
  AtomicEnd,
  Assume,   // value: 0 ends the run as blocked
  Alloc,    // a heap block with shared bytes comes alive: operand bytes, all equal to extra
  Initial,  // at the first fork: the object at `location` is not in its fresh state (value: owner, life << 8, count <<
            // 16, value << 32; operand: waiters)
  Extension,  // high halves of the event before it (16-byte accesses)
  Label,      // request_flag::kLabels: what is known of values as expressions; location: the label; detail: label_note
  Count
};

/// Belongs to the event before it, or says what its thread goes on by: no step.
constexpr bool is_note(Op op) { return op == Op::Extension || op == Op::Label; }

enum class RmwKind : u8 {
  Exchange,
  Add,
  Sub,
  And,
  Or,
  Xor,
  Nand,
  Max,
  Min,
  UMax,
  UMin,
  FAdd,
  FSub,
  UIncWrap,
  UDecWrap,
  Mix
};  // hash(old value, operand): only for words of the runtime (runtime/ghost.h)

/// C++ memory orders; the numbers up to SeqCst are those of LLVM's C API. Plain: not atomic. Volatile: plain, declared
/// volatile.
enum class Order : u8 { Plain = 0, Volatile = 1, Relaxed = 2, Acquire = 4, Release = 5, AcqRel = 6, SeqCst = 7 };

namespace event_flag {
inline constexpr u8 kPoint = 1;    // a scheduling point: others could have stepped here (enabled says who)
inline constexpr u8 kWide = 2;     // an Extension follows
inline constexpr u8 kFailed = 4;   // the run failed in this event
inline constexpr u8 kPending = 8;  // not performed: what a thread waits for when the run ends in a deadlock; value: the
                                   // thread that it waits for, or kNoThread
inline constexpr u8 kRefused = 32;  // the run failed because this operation cannot be performed: it has no result
inline constexpr u8 kUnseen = 64;   // behind it, before the next one of its thread, code has run that nobody sees
inline constexpr u8 kAtOnce = 16;   // a store that would have waited in a buffer, had its bytes been known to be shared
}  // namespace event_flag

/// Site of an event whose place in the source is not known.
inline constexpr u32 kNoSite = 0xffffffff;

/// One executed operation. 64 bytes.
struct Event {
  u64 location;  // address of the first byte, or of the synchronisation object; for Fork/Join the child's number
  u64 value;    // what the thread received: value read, try-lock result ... A Store carries the value that memory held.
  u64 operand;  // what it brought: value stored, Rmw operand, Cas desired, number to wake, the mutex of a CondWait
  u64 extra;    // Cas: value expected. Signal, FutexNotify, CondWake: set of possible args (choices)
  // The request says which of two pairs an event has: who could have stepped, or (request_flag::kStates) the
  // fingerprint of the thread in front of the operation; 0, 0: not known.
  union {
    ThreadSet enabled;  // at a scheduling point: who could have stepped, this thread included
    u64 state_low;
  };
  union {
    ThreadSet asleep;  // at a scheduling point: the sleep set before this event (Tail::Sleep)
    u64 state_high;
  };
  u32 position;  // how many hooked operations (private ones included) the thread had begun: names the event
  u32 site;      // offset in the program's site table
  ThreadId thread;
  Op op;
  u8 size;
  u8 detail;  // RmwKind; mutex kind; Cas: its order when it fails
  Order order;
  u8 flags;
  u16 arg;  // choice made: the waiter woken ...
};
static_assert(sizeof(Event) == 64);

/// One entry of a schedule: let `thread` run until it has performed its operation number `position`, with `arg`
/// for that operation. Positions count all hooked operations, so a schedule does not depend on which locations
/// are known to be shared; what a thread does between two entries needs no entry.
struct Choice {
  enum Kind : u8 {
    Run = 0,
    Asleep = 1,  // behind all others, Tail::Sleep: this store of the buffer `thread` is in the sleep set, too
  };
  Kind kind;
  ThreadId thread;
  u16 arg;
  u32 position;
};
static_assert(sizeof(Choice) == 8);

/// Position of a schedule's last entry that means: one step, whatever operation the thread is about to perform.
inline constexpr u32 kNextPoint = 0xffffffff;
/// In an arg of a flush: nothing to do if that store did not wait in the buffer.
inline constexpr u16 kIfBuffered = 0x2000;

/// What a run is to show where its schedule ends. It fails there, or diverges if the claim is wrong.
struct Claim {
  enum Kind : u8 {
    None,
    Race,             // `thread` and `other` are about to perform conflicting accesses, one of them not atomic
    RaceWithEarlier,  // `other` has performed its access before, and nothing orders the two
    Endless,  // whatever happens from here on, the program does not end: threads take turns for a while, then the run
              // fails with a livelock
  };
  Kind kind;
  ThreadId thread, other;
  u8 later;            // RaceWithEarlier: how many conflicting accesses of `other` came after the one that is meant
  u32 site = kNoSite;  // races: where `thread` accesses; its buffer may hold other stores that race. kNoSite: any
  u32 other_site = kNoSite;
  bool is_race() const { return kind == Race || kind == RaceWithEarlier; }
  bool operator==(const Claim&) const = default;
};
static_assert(sizeof(Claim) == 12);

/// Who runs when the schedule is used up.
enum class Tail : u8 {
  First,   // the running thread goes on; when it cannot, the lowest number that can
  Random,  // uniformly among the enabled, from the seed
  Sleep,   // as First, but never a thread of the sleep set; a run where only sleeping threads are left stops
  Stop,    // the run ends
  Pct,     // by priorities: see Request::change_points
};

/// Why a run ended.
enum class RunStatus : u8 {
  NotRun,
  Complete,   // the program ended
  Failed,     // see Failure
  Blocked,    // an assumption was false
  Redundant,  // only sleeping threads were left
  Limit,      // max_events
  Diverged,   // the schedule does not fit the program: see Failure
  Stopped,    // Tail::Stop; or all threads that are left go round in loops (request_flag::kStates)
};

/// What went wrong. The names for people and JSON stand in check/kinds.h.
enum class FailureKind : u8 {
  None,
  Assertion,
  Abort,
  Exception,  // uncaught
  Crash,      // a signal
  NullDereference,
  UseAfterFree,
  UseAfterScope,  // of a local variable whose function has returned, or whose block was left
  DoubleFree,
  InvalidFree,
  HeapOverflow,       // outside of a heap block
  OutOfBounds,        // outside of a global variable
  UninitialisedRead,  // what decides was never written
  StackOverflow,
  Deadlock,
  LockMisuse,       // unlock by a non-owner, destroy while held ...
  ExitWithThreads,  // main returned or exit was called while threads still ran
  InfiniteLoop,     // no visible operation for a long time
  Livelock,         // threads go on, but the program can never end
  Race,
  Unsupported,     // the program used something that Plait cannot control: not a bug of the program
  Divergence,      // the program did not follow the schedule: not a bug of the program
  OutOfResources,  // too many threads, arena full ...: not a bug of the program
};

struct Failure {
  FailureKind kind;
  ThreadId thread;
  u8 is_code;   // the address is an offset in the program's code: where it crashed
  u8 by_order;  // the thread's own history does not explain it: another order of the same operations would not have
                // failed
  u32 site;
  u64 address;
  u32 other_site;  // where the block was freed or allocated, the lock taken ...
  u32 event;       // number of events before it
  Claim claim;     // Race, Livelock: what the request has claimed
  u32 claimed_at;  // and how many scheduling points came before
  char message[224];
};

}  // namespace plait

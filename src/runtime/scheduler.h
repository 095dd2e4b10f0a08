// One run: who has which operation pending, who may step, what the schedule says, and the trace.
//
// A thread that reaches a visible operation calls perform(). There it waits until the schedule (or the tail policy,
// when the schedule is used up) picks it; then the operation happens, an event is written, and the thread runs on,
// silently, to its next visible operation. Whoever runs into perform() decides who is next and switches there directly:
// there is no scheduler thread.
//
// Free steps (Fork, Begin, End, Join once possible) happen as soon as they can: they commute with everything that
// others do, so no schedule is lost. A forked thread, and a thread whose join became possible, runs silently up to its
// next visible operation before anybody else goes on (run_silently), so that everybody's pending operation is known at
// every decision.
#pragma once
#include "machine/memory_model.h"
#include "machine/sync.h"
#include "runtime/abi.h"
#include "runtime/fiber.h"
#include "trace/session.h"

namespace plait::runtime {

inline constexpr u32 kMaxObjects = 1u << 16;

struct Run {
  Fiber* current = nullptr;  // never null once started
  bool active = false;       // the program runs (else: before main, between runs)
  bool init_phase = true;    // main has not forked yet, and what it does is the same in every run
  bool forked = false;
  bool sharing_grew = false;
  bool everything = false;  // request_flag::kEverything
  bool again = false;       // request_flag::kAgain
  bool goes_on = false;     // request_flag::kGoOn
  bool unshared = false;    // the operation under way is visible for that reason only: a schedule does not know of it
  bool unpredictable = false;
  bool handed_shared = false;  // handed.h
  bool counts_turns = false;   // Visibility::counts_turns, as the run began
  bool turns_found = false;    // a turn of a loop was no attempt: see turns.h
  bool guessed = false;        // likewise: a loop was settled that might not have run out
  bool clock_found = false;    // the program's first look at a clock: see interpose_time.cc
  bool states = false;         // request_flag::kStates
  bool watching = false;       // waiting_loop.h
  u64 unwritten = 0;           // bits without a value of what load_slow() returned last
  machine::MemoryRules memory;
  ThreadSet buffers = 0;  // threads whose buffers hold stores
  bool delayed = false;   // somebody stepped while a store waited in a buffer
  u32 opaque_site = 0;    // the first call that made a thread opaque
  const char* opaque_reason = nullptr;

  // Schedule.
  const Choice* schedule = nullptr;
  u32 schedule_size = 0;
  u32 next_choice = 0;
  Tail tail = Tail::First;
  u64 random = 0;
  ThreadSet sleep = 0;
  bool sleeping = false;    // the sleep set is in force
  u32 sleeping_stores = 0;  // entries behind the schedule that name stores in the sleep set
  u64 seed = 0;             // Tail::Pct
  u32 change_points = 0, length = 0;
  u8 lowered[kMaxThreads] = {};  // number of the change point that lowered this thread's priority last; 0: none
  u16 chosen_arg = 0;
  u32 streak = 0;  // points of the same thread in a row
  u32 stale = 0;   // points in a row, of any thread, in states that it has been in lately
  Claim claim = {};
  u32 endless_from = 0;  // Claim::Endless: points before the program could not end any more, + 1

  // Threads.
  // `ready` and `waiting` change together; side by side the compiler would load both at once and wait for both stores.
  ThreadSet ready = 0;       // live, pending operation enabled
  ThreadSet live = 0;        // forked, not ended
  ThreadSet waiting = 0;     // live, pending operation can block
  ThreadSet finished = 0;    // ended
  ThreadSet assumed = 0;     // live, stopped for good at a false assumption
  ThreadSet failed = 0;      // live, stopped for good by a failure (request_flag::kGoOn, kAgain)
  ThreadSet exiting = 0;     // about to end the program while others live
  bool for_another = false;  // `current` is not who really runs: a flush on its behalf
  ThreadId atomic_owner = kNoThread;
  ThreadId last_point = 0;   // who stepped last
  ThreadId last_actor = 0;   // the same, or the buffer that was flushed since
  ThreadSet yielded = 0;     // these let others go first, if the schedule leaves the choice
  bool cycle = false;        // threads wait for each other
  ThreadSet deadlocked = 0;  // these, which has been written down: the others go on
  ThreadSet enabled = 0;     // as found by the last decision

  // Objects.
  machine::Object* objects = nullptr;
  u32 object_count = 1;  // 0 is nobody

  // Trace.
  Event* events = nullptr;  // of this run
  u32 event_count = 0;
  u32 event_capacity = 0;
  u32 skipped = 0;
  u32 points = 0;
  u64 allocated = 0;  // bytes, by all threads; what is freed is not used again inside a run
  u32 report_from = 0;
  u32 max_events = 0;
  u32 switches = 0;

  RunStatus status = RunStatus::NotRun;
  int exit_code = 0;
  Failure failure;
  Failure* more = nullptr;  // later ones, of other threads
  u32 more_count = 0, more_capacity = 0;

  Context loop;  // the run loop, to return to
};
extern Run run;

/// Begins an operation of the current thread: its position is fixed now.
inline u32 begin_operation() { return ++run.current->position; }

/// Waits for the operation's turn. The event is written but for its value: the caller performs the operation right away
/// and fills that in.
inline Event& await_turn(const machine::Operation& operation);
/// Code that nobody sees has run since the current thread's last event, or will run behind it.
void note_unseen();
/// The same, if the thread called some since it was last asked. Such code may keep state that no fingerprint has.
void note_calls();
/// Something that the engine tells at the end.
void add_note(const Note&);
Event& await_pending();  // the same for what stands in the current fiber's `pending`

/// An operation on the synchronisation object at `location`: silent if only this thread uses the object.
machine::Outcome synchronise(machine::Operation operation);

/// A store that goes to the current thread's buffer; the event has all but high halves.
Event& buffer_store(BufferedStore store);
/// Waits until the current thread's buffer is empty.
void await_drained(u32 site);
void fence(Order order, u32 site);
/// In place of an operation that nobody else sees: it does to the buffer what that does.
void fence_in_place(Order order, u32 site);
/// The order of a store of the current thread, as strong as the session wants it.
Order strengthened(Order order, u32 site);
/// A draining operation of the current thread that nobody else can see.
inline void drain_unseen(u32 site);
/// Likewise a store: it may drain or be a barrier.
inline void fence_unseen(Order order, u32 site);

/// Gives an object its initial state. Before main: for every run.
void initialise(const machine::Operation& operation);

/// The memory of all objects there is gone, which others may wait for.
void end_objects(u64 begin, u64 end);

/// It holds new ones: they are fresh.
void begin_objects(u64 begin, u64 end);

/// Index of the object at `location` (`part`: several objects at one address).
u32 object_at(u64 location, u32 part = 0);
/// Location and part of an object, as one number: part << 56 ^ location.
u64 object_key_of(u32 index);

/// Records an event that is no scheduling point.
Event& record_free(Op op, u64 location, u64 value, u32 site);
/// The current thread is in front of an operation that is none, but that many histories lead to: its event will carry
/// the thread's state.
void await_free(const machine::Operation& operation);
Event& record_awaited(u64 value);

/// Lets `fiber` run up to its next visible operation (or its end), then comes back.
void run_silently(Fiber& fiber);

/// Blocks the current thread until `child` has ended; returns its result.
void* join(Fiber& child, bool wants_result, u32 site);

/// Main is about to fork for the first time: from here on what threads do counts.
void end_init_phase();
/// From here on what main does depends on inputs, and what threads read are symbols: traces show it.
void end_init_phase_at_input();

/// The current thread has ended: those that wait for it go on, then somebody else does.
[[noreturn]] void leave();

/// The current thread goes no further; the others do.
[[noreturn]] void stop_for_good();

/// The program ends here, whatever its other threads do.
[[noreturn]] void exit_program(int code, u32 site);

/// Ends the run.
[[noreturn]] void end_run(RunStatus status);

void switch_to(Fiber& fiber);

/// Stops if this is not the current fiber's stack: a thread that we did not create runs instrumented code.
void check_thread();

/// Offset of a site in the table, as events carry it.
u32 site_offset(const Site* site);
bool is_site(u64 address);
/// The site of the call into the runtime that is under way; consumed.
u32 take_call_site();
/// What a user is to see for `site`, which `fiber` has reached: the line that called the library, if `site` lies in one
/// (kLibrarySite) or is not known.
inline u32 user_view(u32 site, const Fiber& fiber) {
  static_assert(kNoSite & kLibrarySite);
  if (!(site & kLibrarySite)) return site;
  const Site* user = &fiber == run.current ? __plait_user_site : fiber.user_site;
  if (user) return site_offset(user);
  return site == kNoSite ? site : site - kLibrarySite;
}

/// Clears everything for a new run.
void reset_run();

// Inline, so that the operation is written once, in its final place: copying it right after it was written field by
// field stalls the processor's store forwarding.
inline Event& await_turn(const machine::Operation& operation) {
  run.current->pending = operation;
  return await_pending();
}

inline void drain_unseen(u32 site) {
  if (run.memory.buffers) fence_in_place(Order::SeqCst, site);
}

inline void fence_unseen(Order order, u32 site) {
  if (run.memory.buffers && order >= Order::Release) fence_in_place(order, site);
}

}  // namespace plait::runtime

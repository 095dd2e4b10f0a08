// Synchronisation objects of a run: a table by address, and what an operation on one does.
#include "runtime/access.h"
#include "runtime/account.h"
#include "runtime/failure.h"
#include "runtime/process.h"
#include "runtime/scheduling.h"
#include "runtime/waiting_loop.h"

namespace plait::runtime {

using machine::Operation;
using machine::Outcome;

namespace {

struct ObjectEntry {
  u64 key;
  u32 index;
  u32 generation;
};

ObjectEntry object_table[kMaxObjects];
machine::Object object_storage[kMaxObjects / 2];
u64 object_key[kMaxObjects / 2];
u32 generation = 0;

constexpr u32 kMaxInitial = 256;
Operation initial[kMaxInitial];  // what the program's constructors initialised
u32 initial_count = 0;

constexpr u32 kDestroyedMark = 0xdea11c0d;  // what a destroyed object holds
u32& mark_of(const Operation& operation) { return *reinterpret_cast<u32*>(operation.location); }

bool is_inner_notify(const Operation& operation) {
  return operation.op == Op::FutexNotify && operation.detail == machine::kInnerNotify;
}

/// The objects may have lost their memory while the operation waited. (Whoever was woken has left the condition:
/// machine::use_of_dead.)
void check_objects(const Operation& operation, const machine::Object& object) {
  const bool has_left =
      (operation.op == Op::CondWake || operation.op == Op::BarrierLeave) && (object.life & machine::life::kDestroyed);
  if (!has_left && operation.op != Op::FutexWake && !is_inner_notify(operation))
    check_alive(operation.location, 0, true, operation.site);
  if (machine::is_wait(operation.op)) check_alive(operation.operand, 0, true, operation.site);
}

}  // namespace

machine::SyncState sync_state() { return {object_storage, run.finished}; }

void end_objects(u64 begin, u64 end) {
  for (u32 i = 1; i < run.object_count; ++i)
    if (object_key[i] >= begin && object_key[i] < end) object_storage[i].life |= machine::life::kFreed;
  refresh_waiting();
}

void begin_objects(u64 begin, u64 end) {
  for (u32 i = 1; i < run.object_count; ++i)
    if (object_key[i] >= begin && object_key[i] < end) object_storage[i] = {};
  refresh_waiting();
}

namespace {

void note_outcome(Event& event, const Operation& operation, const Outcome& outcome) {
  event.value = outcome.value;
  event.extra = operation.op == Op::FutexWait ? operation.extra : outcome.choices;
  event.arg = outcome.arg;
  refresh_waiting();
}

}  // namespace

Outcome synchronise(Operation operation) {
  begin_operation();
  if (run.watching) watch_read(operation.location, 1, operation.site);
  check_thread();
  Visibility visibility = classify_fast(operation.location, 1, true);
  u64 place = operation.location;
  if (machine::is_wait(operation.op)) {
    // A wait is an operation on the mutex, too: both are visible, or none.
    const bool condition_unshared = run.unshared;
    const Visibility mutex = classify_fast(operation.operand, 1, true);
    if (visibility == Visibility::Visible && mutex == Visibility::Private) make_shared(operation.operand);
    if (visibility == Visibility::Private) visibility = mutex, place = operation.operand;
    run.unshared &= condition_unshared;
  }
  if (visibility == Visibility::OutsideBlock && is_inner_notify(operation)) return {};
  if (visibility == Visibility::OutsideBlock) fail_outside_block(place, 0, true, operation.site);
  if (!operation.object) operation.object = object_at(operation.location);
  machine::SyncState state = sync_state();
  machine::Object& object = object_storage[operation.object];
  const ThreadId me = run.current->id;
  Event* event = nullptr;
  // The program has given a destroyed object a new life by storing to it, as with PTHREAD_MUTEX_INITIALIZER.
  const auto revive = [&] {
    if (object.life == machine::life::kDestroyed && mark_of(operation) != kDestroyedMark) object = {};
  };
  revive();
  const bool blocks = !machine::enabled(state, me, operation);
  // Somebody waits for an object that nobody else has used: what it did with the object before matters after all.
  if (blocks && !run.init_phase && *code_of(operation.location) != kShared) make_shared(operation.location);
  if (blocks) run.unshared = false;
  if (visibility == Visibility::Visible || blocks)
    event = &await_turn(operation);
  else
    drain_unseen(operation.site);
  if (event) {
    check_objects(operation, object);
    revive();
  }
  if (operation.op == Op::FutexWait) operation.extra = read_memory<u32>(operation.location);
  const machine::Object before[] = {state.objects[operation.object], state.objects[operation.object2]};
  const Outcome outcome = machine::perform(state, me, operation, run.chosen_arg);
  if (outcome.misuse != machine::Misuse::None) {  // it has no effect on those who go on
    state.objects[operation.object] = before[0];
    state.objects[operation.object2] = before[1];
  }
  if (event)
    note_outcome(*event, operation, outcome);
  else if (machine::traits(operation.op).hold != machine::Hold::None)
    account_hold(operation, outcome.value);
  const bool tries = operation.op == Op::SemTryWait || machine::traits(operation.op).hold == machine::Hold::TakesIfZero;
  if (!tries || outcome.value == 0) note_change();
  if (machine::is_destroy(operation.op) && outcome.misuse == machine::Misuse::None) mark_of(operation) = kDestroyedMark;
  if (outcome.misuse != machine::Misuse::None)
    fail({.kind = FailureKind::LockMisuse,
          .site = operation.site,
          .address = operation.location,
          .cause = event ? FailureNote::Cause::Order : FailureNote::Cause::History},
         "T%u %s", me, machine::describe(outcome.misuse));
  return outcome;
}

void initialise(const Operation& operation) {
  if (run.active) {
    synchronise(operation);
    return;
  }
  if (initial_count == kMaxInitial) die("too many semaphores and barriers are initialised before main");
  initial[initial_count++] = operation;
}

u32 object_at(u64 location, u32 part) {
  const u64 key = location ^ (static_cast<u64>(part) << 56);
  u32 slot = static_cast<u32>((key * 0x9e3779b97f4a7c15ull) >> 48) % kMaxObjects;
  for (;; slot = (slot + 1) % kMaxObjects) {
    ObjectEntry& entry = object_table[slot];
    if (entry.generation != generation) {
      if (run.object_count + 1 >= kMaxObjects / 2)
        fail({.kind = FailureKind::OutOfResources}, "more than %u synchronisation objects in one run", kMaxObjects / 2);
      entry = {key, run.object_count++, generation};
      object_storage[entry.index] = machine::Object{};
      object_key[entry.index] = key;
      return entry.index;
    }
    if (entry.key == key) return entry.index;
  }
}

u64 object_key_of(u32 index) { return object_key[index]; }

void record_initial_objects() {
  for (u32 i = 1; i < run.object_count; ++i) {
    const machine::Object& object = object_storage[i];
    const u64 state = machine::packed(object);
    if (state == kNoThread && object.waiters == 0) continue;
    record_free(Op::Initial, object_key[i], state, kNoSite).operand = object.waiters;
  }
}

void reset_objects() {
  run.objects = object_storage;
  if (++generation == 0) {
    __builtin_memset(object_table, 0, sizeof object_table);
    generation = 1;
  }
  machine::SyncState state = sync_state();
  for (u32 i = 0; i < initial_count; ++i) {
    Operation operation = initial[i];
    operation.object = object_at(operation.location);
    machine::perform(state, 0, operation, 0);
  }
}

}  // namespace plait::runtime

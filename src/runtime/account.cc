// Tab-separated lines; addresses of code are offsets in the program's file, all numbers but sites and threads are hex:
//   K <event> <code> <code> ...       who called whom at this event, innermost first
//   X <code> ...                      the same where the run failed
//   B, A, F, P, M                     heap blocks and what memory holds: account_blocks.cc
//   L <begin> <size> <thread> <site> <event>   a local variable, and the first event after it began to live
//   H <event> <thread> <operation> <lock> <mutex of a wait> <result> <site>   a lock that nobody else uses
#include "runtime/account.h"

#include <execinfo.h>
#include <sys/mman.h>

#include "runtime/account_blocks.h"
#include "runtime/heap.h"
#include "runtime/process.h"
#include "runtime/scheduler.h"

extern "C" {
extern const char __start_plait_rt_text[];
extern const char __stop_plait_rt_text[];
}

namespace plait::runtime {
namespace {

constexpr u32 kWalked = 96;       // frames that are looked at: the runtime's own and libraries' lie between
constexpr u32 kEvents = 1 << 14;  // the last ones of a run
constexpr u32 kBlocks = 1 << 10;
constexpr u32 kLocals = 1 << 12;
constexpr u32 kHolds = 1 << 12;

struct Stack : AccountStack {
  u32 event;
};

struct LocalVariable {
  u64 begin, size;
  u32 site;
  u32 event;
  ThreadId thread;
};

struct LockStep {
  u32 event, site;
  u64 lock, mutex, result;
  ThreadId thread;
  Op op;
};

struct Storage {
  Stack pending[kMaxThreads];
  Stack failure;
  Stack events[kEvents];
  AccountStack blocks[2][kBlocks];  // allocations, ends
  u32 block_count[2];
  LocalVariable locals[kLocals];
  u32 local_count;
  LockStep holds[kHolds];
  u32 hold_count;
};

Storage* storage = nullptr;

bool is_program_code(u64 address) {
  const bool own =
      address >= reinterpret_cast<u64>(__start_plait_rt_text) && address < reinterpret_cast<u64>(__stop_plait_rt_text);
  return address >= process.code_begin && address < process.code_end && !own;
}

bool walking = false;
void* escape[5];

/// The program may have overwritten its stack: then the walk crashes, and there is no stack to tell.
void walk(AccountStack& stack) {
  stack.count = 0;
  if (walking) return;
  void* found[kWalked];
  if (__builtin_setjmp(escape)) {
    walking = false;
    return;
  }
  walking = true;
  const int count = backtrace(found, kWalked);
  walking = false;
  for (int i = 0; i < count && stack.count < AccountStack::kDeepest; ++i) {
    const u64 address = reinterpret_cast<u64>(found[i]) - 1;  // of the call, not behind it
    if (is_program_code(address)) stack.code[stack.count++] = address - process.load_bias;
  }
}

bool is_named(const LocalVariable& local) {
  for (u32 i = 0; i < run.event_count; ++i) {
    const Event& event = run.events[i];
    if (event.location - local.begin < local.size || event.value - local.begin < local.size ||
        event.operand - local.begin < local.size)
      return true;
  }
  return false;
}

}  // namespace

bool account::wanted = false;
u32 account::last_call = kNoSite;
using account::wanted;

const AccountStack* stack_of_block(u64 address, bool freed) {
  const u32 count = storage->block_count[freed];
  for (u32 i = 0; i < count && i < kBlocks; ++i)
    if (storage->blocks[freed][i].block == address) return &storage->blocks[freed][i];
  return nullptr;
}

void prepare_account() {
  void* found[2];
  backtrace(found, 2);
}

void leave_crashed_walk() {
  if (!walking) return;
  process.retire = true;  // the unwinder may hold locks
  __builtin_longjmp(escape, 1);
}

void begin_account(bool is_wanted) {
  wanted = is_wanted;
  if (!wanted) return;
  if (!storage) {
    void* memory = PLAIT_REAL(mmap)(nullptr, sizeof(Storage), PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    wanted = memory != MAP_FAILED;
    if (!wanted) return;
    storage = static_cast<Storage*>(memory);
  }
  storage->failure.count = 0;
  storage->block_count[0] = storage->block_count[1] = storage->local_count = storage->hold_count = 0;
  for (Stack& stack : storage->pending) stack.count = 0;
}

void account::operation() {
  if (run.active) walk(storage->pending[run.current->id]);
}

void account::event(const Event& event, const Fiber& fiber) {
  if (!run.active || &event < run.events || &event >= run.events + run.event_capacity) return;
  const u32 index = static_cast<u32>(&event - run.events);
  Stack& stack = storage->events[index % kEvents];
  stack = storage->pending[fiber.id];
  stack.event = index;
}

void account::failure() { walk(storage->failure); }

void account::block(u64 address, bool freed) {
  if (!run.active) return;
  AccountStack& stack = storage->blocks[freed][storage->block_count[freed]++ % kBlocks];
  stack.block = address;
  stack.call = last_call;
  walk(stack);
}

void account::local(u64 address, u64 size, const Site* site) {
  if (!run.active) return;
  storage->locals[storage->local_count++ % kLocals] = {address, size, site_offset(site), run.event_count,
                                                       run.current->id};
}

void account::hold(const machine::Operation& operation, u64 result) {
  if (!run.active) return;
  storage->holds[storage->hold_count++ % kHolds] = {run.event_count,
                                                    user_view(operation.site, *run.current),
                                                    operation.location,
                                                    operation.operand,
                                                    result,
                                                    run.current->id,
                                                    operation.op};
}

namespace {

void tell_memory(AccountText& text, AccountBlocks& blocks) {
  if (__builtin_setjmp(escape)) {  // the program took memory away
    walking = false;
    return;
  }
  walking = true;
  blocks.tell_owners();
  const u32 locals = storage->local_count < kLocals ? storage->local_count : kLocals;
  for (u32 i = 0; i < locals && !text.is_full(); ++i)
    if (const LocalVariable& local = storage->locals[i]; blocks.is_owner(local.begin, local.size) || is_named(local))
      text.line("L\t%lx\t%lx\t%u\t%u\t%x\n", local.begin, local.size, local.thread, local.site, local.event);
  blocks.tell_contents();
  walking = false;
}

}  // namespace

u32 take_account(char* to, u32 capacity) {
  if (!wanted || !storage) return 0;
  AccountText text{to, to + capacity};
  const u32 first = run.event_count > kEvents ? run.event_count - kEvents : 0;
  text.line("X");
  text.code(storage->failure);
  AccountBlocks blocks(text);
  for (u32 i = run.event_count; i-- > first;) {
    const Event& event = run.events[i];
    blocks.name(event.location);
    if (event.op == Op::Fork) continue;
    blocks.name(event.value);
    blocks.name(event.operand);
  }
  tell_memory(text, blocks);
  // Some may have been forgotten: then who holds what is not known.
  for (u32 i = 0; i < storage->hold_count && storage->hold_count <= kHolds && !text.is_full(); ++i) {
    const LockStep& step = storage->holds[i];
    text.line("H\t%x\t%u\t%u\t%lx\t%lx\t%lx\t%u\n", step.event, step.thread, static_cast<unsigned>(step.op), step.lock,
              step.mutex, step.result, step.site);
  }
  for (u32 i = run.event_count; i-- > first && !text.is_full();) {
    const Stack& stack = storage->events[i % kEvents];
    if (stack.event != i || stack.count == 0) continue;
    text.line("K\t%x", i);
    text.code(stack);
  }
  return static_cast<u32>(text.at - to);
}

}  // namespace plait::runtime

#include "runtime/fiber.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/failure.h"
#include "runtime/ghost.h"
#include "runtime/lifetime.h"
#include "runtime/local_zones.h"
#include "runtime/process.h"
#include "runtime/scheduler.h"
#include "runtime/snapshot.h"

extern "C" void* __cxa_get_globals() __attribute__((weak));

namespace plait::runtime {

Fiber fibers[kMaxThreads];

namespace {

ThreadSet existing = 0;

struct Parking {
  Fiber* fiber;
  u32 ready;
};

/// A raw futex call: neither errno nor our own interposed syscall() may be involved.
void raw_futex(u32* word, int operation, u32 value) {
  long result = SYS_futex;
  register long timeout asm("r10") = 0;
  asm volatile("syscall" : "+a"(result) : "D"(word), "S"(operation), "d"(value), "r"(timeout) : "rcx", "r11", "memory");
}

/// A parked thread lends its TLS block and does nothing else.
void* park(void* argument) {
  auto* parking = static_cast<Parking*>(argument);
  Fiber& fiber = *parking->fiber;
  fiber.error_number = &errno;
  if (__cxa_get_globals) fiber.eh_globals = __cxa_get_globals();
  fiber.fs_base = read_fs_base();
  __atomic_store_n(&parking->ready, 1, __ATOMIC_RELEASE);
  raw_futex(&parking->ready, FUTEX_WAKE, 1);
  for (u32 never = 0;;) raw_futex(&never, FUTEX_WAIT, 0);
}

void map_fixed(u64 begin, u64 size) {
  void* mapped = PLAIT_REAL(mmap)(reinterpret_cast<void*>(begin), size, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (mapped != reinterpret_cast<void*>(begin)) die("cannot map a thread's memory at its fixed address");
}

/// First use of this number in the process: stack, arena, TLS.
void create_resources(Fiber& fiber) {
  const u64 base = slice(fiber.id);
  fiber.arena.begin = fiber.arena.floor = fiber.arena.next = base + kPage;
  map_fixed(base, kArenaSize);
  map_fixed(base + kStackOffset, kStackSize);
  PLAIT_REAL(mprotect)(reinterpret_cast<void*>(base + kStackOffset), kPage, PROT_NONE);
  if (fiber.id == 0) {
    fiber.fs_base = read_fs_base();
    fiber.error_number = &errno;
    if (__cxa_get_globals) fiber.eh_globals = __cxa_get_globals();
    return;
  }
  map_fixed(base + kParkedOffset, kParkedSize);
  pthread_attr_t attributes;
  auto* init = PLAIT_REAL(pthread_attr_init);
  auto* set_stack = PLAIT_REAL(pthread_attr_setstack);
  auto* create = PLAIT_REAL(pthread_create);
  init(&attributes);
  set_stack(&attributes, reinterpret_cast<void*>(base + kParkedOffset), kParkedSize);
  Parking parking{&fiber, 0};
  pthread_t handle;
  sigset_t all, before;
  PLAIT_REAL(sigfillset)(&all);
  PLAIT_REAL(pthread_sigmask)(SIG_SETMASK, &all, &before);
  // glibc must see its own TLS while it creates the thread.
  const u64 here = read_fs_base();
  write_fs_base(fibers[0].fs_base);
  const int error = create(&handle, &attributes, park, &parking);
  write_fs_base(here);
  PLAIT_REAL(pthread_sigmask)(SIG_SETMASK, &before, nullptr);
  if (error) die("cannot create a thread to borrow its thread-local storage");
  while (!__atomic_load_n(&parking.ready, __ATOMIC_ACQUIRE)) raw_futex(&parking.ready, FUTEX_WAIT, 0);
}

}  // namespace

void prepare(Context& context, u64 stack_top, void (*function)(void*), void* argument) {
  // What __plait_context_switch pops: r15 r14 r13 r12 rbx rbp, then the address to go on at. The entry code then finds
  // the stack pointer at a multiple of 16, as its call instruction needs it.
  u64* top = reinterpret_cast<u64*>(stack_top & ~u64{63}) - 7;
  top[0] = top[1] = top[2] = 0;
  top[3] = reinterpret_cast<u64>(argument);
  top[4] = reinterpret_cast<u64>(function);
  top[5] = 0;
  top[6] = reinterpret_cast<u64>(&__plait_context_entry);
  context.stack_pointer = top;
}

Fiber* fiber_of_handle(u64 handle) {
  if (!in_zone(handle)) return nullptr;
  const unsigned id = slice_of(handle);
  if (id >= kMaxThreads || !fibers[id].exists || handle_of(fibers[id]) != handle) return nullptr;
  return &fibers[id];
}

void start_fiber(Fiber& fiber, ThreadId id, void (*entry)(void*)) {
  fiber.id = id;
  existing |= bit(id);
  if (!fiber.fs_base) create_resources(fiber);
  fiber.own = run.everything ? broadcast(kNobody) : broadcast(write_code(id));
  fiber.own_read = broadcast(read_code(id));
  fiber.position = 0;
  fiber.exists = true;
  fiber.ended = fiber.detached = fiber.born_detached = fiber.joined = fiber.inner_release = false;
  fiber.forks = fiber.idle_yields = 0;
  fiber.user_site = nullptr;
  fiber.unknown_call = nullptr;
  fiber.starter = nullptr;
  fiber.pending = {};
  fiber.pending_position = 0;
  fiber.state = fiber.anchor = {};
  fiber.anchor_age = fiber.anchor_limit = 0;
  if (run.states) __builtin_memset(fiber.recent, 0, sizeof fiber.recent);
  fiber.opaque = false;
  fiber.atomic_depth = 0;
  fiber.buffer.count = 0;
  fiber.buffer.barrier = false;
  fiber.buffer.pending = {};
  fiber.buffer_wait = Fiber::Wait::None;
  fiber.result = nullptr;
  fiber.lowest_local = 0;
  fiber.clock = 0;
  fiber.timed_waits = 0;
  fiber.inputs = 0;
  fiber.random = 0x9e3779b97f4a7c15ull * (id + 1u);
  for (u32 i = 0; i < fiber.keys_used; ++i) fiber.keys[i] = {};
  fiber.keys_used = 0;
  fiber.exit_count = 0;
  fiber.cleanup_count = 0;
  fiber.cancel_state = fiber.cancel_type = 0;
  fiber.signal_mask = 0;
  reset_arena(fiber.arena);
  reset_tls(fiber);
  *fiber.error_number = 0;
  if (process.float_modes) fiber.float_modes = read_float_modes();  // those of its parent; main's are the process's
  if (fiber.eh_globals) __builtin_memset(fiber.eh_globals, 0, 16);
  fiber.context.fs_base = fiber.fs_base;
  prepare(fiber.context, slice(id) + kStackOffset + kStackSize - 128, entry, &fiber);
  run.live |= bit(id);
}

void forget_fibers() {
  for (; existing; existing &= existing - 1) {
    Fiber& fiber = fibers[lowest(existing)];
    fiber.exists = false;
    reset_arena(fiber.arena);
  }
}

ThreadId identity_of(ThreadId parent, u16 index) {
  Session& session = *process.session;
  auto find = [&](u32 count) -> int {
    for (u32 i = 1; i < count; ++i)
      if (session.identity[i].parent == parent && session.identity[i].fork_index == index) return static_cast<int>(i);
    return -1;
  };
  int found = find(__atomic_load_n(&session.identity_count, __ATOMIC_ACQUIRE));
  if (found >= 0) return static_cast<ThreadId>(found);
  ++process.critical;
  for (u32 nobody = 0; !__atomic_compare_exchange_n(&session.identity_lock, &nobody, process.id, false,
                                                    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
       nobody = 0)
    __builtin_ia32_pause();
  const u32 count = session.identity_count;
  found = find(count);
  const u32 most = run.memory.most_threads();
  if (found < 0 && count < most) {
    session.identity[count] = {.parent = parent, .pad = 0, .fork_index = index};
    __atomic_store_n(&session.identity_count, count + 1, __ATOMIC_RELEASE);
    found = static_cast<int>(count);
  }
  __atomic_store_n(&session.identity_lock, 0, __ATOMIC_RELEASE);
  --process.critical;
  if (found < 0) fail({.kind = FailureKind::OutOfResources}, "more than %u threads (over all runs)", most);
  return static_cast<ThreadId>(found);
}

void finish_thread(void* result) {
  Fiber& fiber = *run.current;
  release_stack(slice(fiber.id) + kStackOffset + kStackSize);
  run_thread_exits(fiber);
  fiber.result = result;
  end_thread_memory(reinterpret_cast<u64>(__builtin_frame_address(0)));
  replace(Ghost::ThreadEnd, 1 + (process.session->clock_matters ? fiber.clock : 0), fiber.id);
  begin_operation();
  await_drained(kNoSite);
  record_free(Op::End, 0, 0, kNoSite).operand = reinterpret_cast<u64>(result);
  leave();
}

}  // namespace plait::runtime

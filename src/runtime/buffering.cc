// TSO, PSO: stores that wait in their thread's buffer, and what waits for them.
#include "runtime/access.h"
#include "runtime/failure.h"
#include "runtime/lifetime.h"
#include "runtime/process.h"
#include "runtime/scheduling.h"

namespace plait::runtime {

using machine::Operation;

namespace {

void await_buffer(Fiber::Wait wait, u32 site) {
  Fiber& fiber = *run.current;
  fiber.buffer_wait = wait;
  fiber.pending = {.op = Op::Fence, .order = Order::SeqCst, .site = site};
  fiber.pending_position = fiber.position;
  yield_turn(fiber);  // back here when flush() says so
}

}  // namespace

bool flush(ThreadId buffer) {
  Fiber& fiber = actor(buffer);
  const u64 possible = flushable(fiber);
  const u32 index = run.chosen_arg;
  const Operation operation = flush_of(fiber.buffer.store[index]);
  Event& event = next_event();
  fill(event, fiber, operation, fiber.buffer.store[index].position);
  event.thread = buffer;
  note_point(event, buffer, operation, {});
  event.extra = possible & (possible - 1) ? possible : 0;
  Fiber* const current = run.current;
  run.current = &fiber;  // it is the one that fails
  run.for_another = true;
  check_alive(operation.location, operation.size, true, operation.site, FailureNote::Cause::Operation);
  run.for_another = false;
  run.current = current;
  BufferedStore flushed;
  const u128 old = flush_store(fiber, index, flushed);
  event.value = static_cast<u64>(old);
  if (flushed.size == 16) extend(event, old, flushed.value, 0);
  if (fiber.buffer_wait == Fiber::Wait::Room ||
      (fiber.buffer_wait == Fiber::Wait::Drained && fiber.buffer.count == 0)) {
    fiber.buffer_wait = Fiber::Wait::None;
    return true;
  }
  if (!(run.waiting & bit(fiber.id))) return false;
  if (is_enabled(fiber))
    run.ready |= bit(fiber.id);
  else if (closes_cycle(fiber))
    meet_cycle();
  return false;
}

void await_drained(u32 site) {
  Fiber& fiber = *run.current;
  if (fiber.buffer.count) await_buffer(Fiber::Wait::Drained, site);
  fiber.buffer.pending.drain();
}

namespace {

/// What a fence does to the thread's buffer. True if it matters.
bool order_stores(Fiber& fiber, Order order, u32 site) {
  if (!run.memory.buffers || !fiber.buffer.pending.fence(run.memory, order)) return false;
  if (order != Order::SeqCst)
    fiber.buffer.barrier = fiber.buffer.count != 0;
  else if (fiber.buffer.count)
    await_buffer(Fiber::Wait::Drained, site);
  return true;
}

}  // namespace

void fence(Order order, u32 site) {
  Fiber& fiber = *run.current;
  if (!run.active || run.init_phase) return;
  order_stores(fiber, order, site);
  record_free(Op::Fence, 0, 0, user_view(site, fiber)).order = order;
}

void fence_in_place(Order order, u32 site) {
  Fiber& fiber = *run.current;
  if (!run.active || run.init_phase) return;
  // Where everything is recorded, stores that went to memory at once may turn out to be shared, and the fence to
  // matter.
  if (!order_stores(fiber, order, site) && !run.everything) return;
  Event& event = record_free(Op::Fence, 0, 0, user_view(site, fiber));
  event.order = order;
  event.detail = machine::kOnlyDrains;
}

Order strengthened(Order order, u32 site) {
  const Session& session = *process.session;
  if (session.strong_count == 0) return order;
  const u32 seen = user_view(site, *run.current);
  for (u32 i = 0; i < session.strong_count; ++i)
    if (session.strong[i].site == seen && session.strong[i].order > order) return session.strong[i].order;
  return order;
}

Event& buffer_store(BufferedStore store) {
  check_thread();
  Fiber& fiber = *run.current;
  store.position = fiber.position;
  store.site = user_view(store.site, fiber);
  while (fiber.buffer.count == run.memory.room) await_buffer(Fiber::Wait::Room, store.site);
  store.barrier = fiber.buffer.count && run.memory.is_barrier(Op::Store, store.order);
  Event& event = next_event();
  fill(event, fiber, flush_of(store), fiber.position);
  event.op = Op::Store;
  event.value = static_cast<u64>(global_load(store.address, store.size));
  push_store(fiber, store);
  if (!run.memory.in_order) run.sleep &= ~bit(buffer_of(fiber.id));  // it can do more than when it fell asleep
  return event;
}

}  // namespace plait::runtime

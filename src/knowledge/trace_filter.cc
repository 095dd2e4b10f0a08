#include "knowledge/trace_filter.h"

namespace plait {

bool follow_buffer(const machine::MemoryRules& memory, machine::PendingStores& stores, Event& event, bool kept) {
  if (event.op == Op::Fence) {
    const bool matters = stores.fence(memory, event.order);
    return matters || event.detail != machine::kOnlyDrains;  // a real one may order what others do, too
  }
  if (event.flags & event_flag::kPending) return kept;
  if (kept) {
    if (memory.is_buffered(event.op, event.order)) stores.store();
    if (memory.drains(event.op, event.order)) stores.drain();
    return true;
  }
  if (event.op == Op::Free) return false;
  const bool drains = memory.drains(event.op, event.order);
  if (!drains && !memory.is_barrier(event.op, event.order)) return false;
  const Order order = drains ? Order::SeqCst : event.order;
  if (!stores.fence(memory, order)) return false;
  event = {.location = 0,
           .value = 0,
           .operand = 0,
           .extra = 0,
           .enabled = 0,
           .asleep = 0,
           .position = event.position,
           .site = event.site,
           .thread = event.thread,
           .op = Op::Fence,
           .size = 0,
           .detail = machine::kOnlyDrains,
           .order = order,
           .flags = 0,
           .arg = 0};
  return true;
}

}  // namespace plait

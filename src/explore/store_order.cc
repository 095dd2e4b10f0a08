#include "explore/store_order.h"

#include <algorithm>

namespace plait {

bool StoreOrder::leaves_first(const Stored& early, const Stored& late) const {
  return memory_.leaves_first(early.begin < late.end && late.begin < early.end, early.barriers != late.barriers);
}

std::vector<size_t> StoreOrder::before_flush(const Buffer& buffer, const Stored& stored) const {
  std::vector<size_t> before = {stored.store};
  for (const Stored& other : buffer.stores) {
    if (&other == &stored) break;
    if (other.flush != kNowhere && leaves_first(other, stored)) before.push_back(other.flush);
  }
  return before;
}

void StoreOrder::store(Buffer& buffer, const Event& event, size_t number, std::vector<size_t>& before) {
  if (memory_.is_barrier(event.op, event.order)) ++buffer.barriers;
  if (buffer.stores.size() >= memory_.room) {
    if (memory_.in_order) {
      before.push_back(buffer.stores[buffer.stores.size() - memory_.room].flush);
    } else {
      was_full_ = true;
      for (const Stored& other : buffer.stores)
        if (other.flush != kNowhere) before.push_back(other.flush);
    }
  }
  buffer.stores.push_back(
      {number, kNowhere, event.position, event.location, event.location + event.size, buffer.barriers});
  ++buffer.waiting;
}

std::vector<size_t> StoreOrder::next(const Event& event, size_t number) {
  std::vector<size_t> before;
  if (!memory_.buffers || event.op == Op::Extension || event.op == Op::Initial) return before;
  Buffer& buffer = buffers_[owner_of(event.thread)];
  if (event.op == Op::Flush) {
    const auto stored = std::find_if(buffer.stores.begin(), buffer.stores.end(),
                                     [&](const Stored& other) { return other.position == event.position; });
    if (stored == buffer.stores.end()) return before;
    stored->flush = number;
    --buffer.waiting;
    return before_flush(buffer, *stored);
  }
  const bool performed = !(event.flags & (event_flag::kPending | event_flag::kRefused));
  if (memory_.drains(event.op, event.order)) {
    for (const Stored& stored : buffer.stores)
      if (stored.flush != kNowhere) before.push_back(stored.flush);
    if (performed) buffer = {};
  } else if (!performed) {
    return before;
  } else if (memory_.is_buffered(event.op, event.order)) {
    store(buffer, event, number, before);
  } else if (memory_.is_barrier(event.op, event.order)) {
    ++buffer.barriers;
  }
  return before;
}

std::vector<StoreOrder::Flushable> StoreOrder::flushable() const {
  std::vector<Flushable> found;
  if (!memory_.buffers) return found;
  for (const Buffer& buffer : buffers_)
    for (const Stored& stored : buffer.stores) {
      if (stored.flush != kNowhere) continue;
      const bool waits = std::any_of(buffer.stores.data(), &stored, [&](const Stored& other) {
        return other.flush == kNowhere && leaves_first(other, stored);
      });
      if (!waits) found.push_back({stored.store, before_flush(buffer, stored)});
    }
  return found;
}

}  // namespace plait

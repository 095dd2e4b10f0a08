#include "explore/store_order.h"

#include <algorithm>

namespace plait {

bool StoreOrder::leaves_first(const Stored& early, const Stored& late) const {
  return model_ == MemoryModel::Tso || early.barriers != late.barriers ||
         (early.begin < late.end && late.begin < early.end);
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
  if (machine::is_barrier(model_, event.op, event.order)) ++buffer.barriers;
  if (buffer.stores.size() >= machine::kBufferedStores) {
    if (model_ == MemoryModel::Tso) {
      before.push_back(buffer.stores[buffer.stores.size() - machine::kBufferedStores].flush);
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
  if (model_ == MemoryModel::Sc || event.op == Op::Extension || event.op == Op::Initial) return before;
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
  if (machine::drains(event.op, event.order)) {
    for (const Stored& stored : buffer.stores)
      if (stored.flush != kNowhere) before.push_back(stored.flush);
    if (performed) buffer = {};
  } else if (!performed) {
    return before;
  } else if (machine::is_buffered(model_, event.op, event.order)) {
    store(buffer, event, number, before);
  } else if (machine::is_barrier(model_, event.op, event.order)) {
    ++buffer.barriers;
  }
  return before;
}

std::vector<StoreOrder::Flushable> StoreOrder::flushable() const {
  std::vector<Flushable> found;
  if (model_ == MemoryModel::Sc) return found;
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

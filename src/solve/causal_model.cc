#include "solve/causal_model.h"

#include <errno.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <map>
#include <utility>

#include "machine/dependence.h"
#include "machine/memory_step.h"

namespace plait::solve {
namespace {

bool touches_bytes(const Step& step) {
  return !step.is_buffered && step.operation.op != Op::Input &&
         machine::traits(step.operation.op).bytes != machine::Bytes::None;
}

bool overlap(const Step& a, const Step& b) {
  return a.operation.location < b.operation.location + b.operation.size &&
         b.operation.location < a.operation.location + a.operation.size;
}

u64 bytes_of(const Step& step) {
  const machine::Footprint bytes = machine::footprint(step.operation);
  return bytes.end - bytes.begin;
}

}  // namespace

u64 CausalModel::next_id() {
  static std::atomic<u64> last{0};
  return ++last;
}

CausalModel::CausalModel(std::span<const Event> events, const machine::MemoryRules& memory) : memory_(memory) {
  object_numbers_.reserve(16);
  initial_objects_.emplace_back();
  for (size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    if (event.op == Op::Extension || (event.flags & event_flag::kPending)) continue;
    add(event, (event.flags & event_flag::kWide) && i + 1 < events.size() ? &events[i + 1] : nullptr);
  }
  threads_ = static_cast<u32>(steps_of_.size());
  for (u32 t = 0; t < threads_; ++t) owners_.push_back(static_cast<ThreadId>(t));
  if (memory_.buffers) find_flushes();
  needs_.resize(steps_.size());
  forwarded_.resize(steps_.size());
  needs_room_.resize(steps_.size(), false);
  if (memory_.buffers) find_buffers();
  buffers_.resize(threads_, {sequences(), sequences()});
  find_cells();
  find_initial_memory();
}

void CausalModel::add(const Event& event, const Event* high) {
  auto object = [&](u64 key) {
    auto [at, fresh] = object_numbers_.try_emplace(key, static_cast<u32>(initial_objects_.size()));
    if (fresh) initial_objects_.emplace_back();
    return at->second;
  };
  if (event.op == Op::Initial) {
    initial_objects_[object(event.location)] = machine::initial_object(event);
    return;
  }
  auto wide = [&](u64 low, u64 top) { return static_cast<u128>(top) << 64 | low; };
  Step step;
  machine::Operation& operation = step.operation;
  operation = machine::operation_of(event);
  step.operand = wide(event.operand, high ? high->operand : 0);
  step.expected = wide(event.extra, high ? high->extra : 0);
  const u128 value = wide(event.value, high ? high->value : 0);
  const bool receives = machine::traits(event.op).result != machine::Result::Nothing;
  step.result = receives ? value : 0;
  const machine::ObjectKeys keys = machine::object_keys(event);
  if (keys.first) operation.object = object(keys.first);
  if (keys.second) operation.object2 = object(keys.second);
  step.thread = event.op == Op::Flush ? static_cast<ThreadId>(event.thread - kFirstBuffer) : event.thread;
  step.sequence = step.thread;
  step.position = event.position;
  step.state_low = event.state_low;
  step.state_high = event.state_high;
  step.arg = event.arg;
  step.is_point = (event.flags & event_flag::kPoint) != 0;
  step.is_read = machine::is_branching(event.op, event.detail);
  const u32 least =
      (event.op == Op::Fork ? std::max<u32>(step.thread, static_cast<u32>(event.location)) : step.thread) + 1u;
  if (steps_of_.size() < least) steps_of_.resize(least);
  forks_.resize(steps_of_.size(), kNone);
  const u32 number = static_cast<u32>(steps_.size());
  if (event.op == Op::Fork) forks_[event.location] = number;
  if (event.op != Op::Flush) {
    step.index = static_cast<u32>(steps_of_[step.thread].size());
    steps_of_[step.thread].push_back(number);
  }
  // A store to bytes that nobody else was known to use: it did not wait then, but it will.
  const bool flushed_at_once = step.is_point && memory_.is_buffered(event.op, event.order);
  if (flushed_at_once) step.is_point = false;
  steps_.push_back(step);
  overwritten_.push_back(value);
  if (flushed_at_once) add_flush(step, value);
}

void CausalModel::add_flush(const Step& store, u128 overwritten) {
  Step flush = store;
  flush.operation.op = Op::Flush;
  flush.is_point = true;
  flush.is_buffered = false;
  flush.state_low = flush.state_high = 0;
  steps_.push_back(flush);
  overwritten_.push_back(overwritten);
}

bool CausalModel::drains(const Step& step) const {
  return !step.is_buffered &&
         (step.operation.op == Op::Store || memory_.drains(step.operation.op, step.operation.order));
}

/// Which stores are buffered, and their flushes. A store that was still in the buffer when the run ended could have
/// been flushed: its flush comes at the end of the model's order. (A store without a flush in front of a draining step
/// went to memory at once.)
void CausalModel::find_flushes() {
  flushes_.assign(steps_.size(), kNone);
  std::map<std::pair<ThreadId, u32>, std::deque<u32>> observed;  // by thread and position
  for (u32 i = 0; i < steps_.size(); ++i)
    if (steps_[i].operation.op == Op::Flush) observed[{steps_[i].thread, steps_[i].position}].push_back(i);
  observed_ = static_cast<u32>(steps_.size());
  for (u32 t = 0; t < threads_; ++t) {
    std::vector<u32> waiting;
    for (const u32 number : steps_of_[t]) {
      Step& step = steps_[number];
      if (step.operation.op != Op::Store) {
        if (drains(step)) waiting.clear();
        continue;
      }
      auto found = observed.find({step.thread, step.position});
      step.is_buffered = found != observed.end() && !found->second.empty();
      if (step.is_buffered) {
        flushes_[number] = found->second.front();
        found->second.pop_front();
      } else if (!memory_.is_buffered(step.operation.op, step.operation.order)) {
        waiting.clear();
      } else {
        waiting.push_back(number);
      }
    }
    for (const u32 number : waiting) {
      steps_[number].is_buffered = true;
      flushes_[number] = static_cast<u32>(steps_.size());
      add_flush(steps_[number], 0);
    }
  }
  flushes_.resize(steps_.size(), kNone);
}

/// Puts flushes into the sequences of their buffers, and finds what they and draining steps wait for.
void CausalModel::find_buffers() {
  for (u32 t = 0; t < threads_; ++t) {
    struct Buffer {
      u32 sequence;
      u32 drained = 0;         // flushes that the last draining step has waited for
      u32 before_barrier = 0;  // flushes of stores before the last barrier
    };
    std::map<std::pair<u64, u8>, Buffer> buffers;
    std::vector<u32> stores;  // since the last draining step
    const u32 first = sequences();
    for (const u32 number : std::vector<u32>(steps_of_[t])) {
      const Step& step = steps_[number];
      if (memory_.is_barrier(step.operation.op, step.operation.order))
        for (auto& [bytes, buffer] : buffers) buffer.before_barrier = length(buffer.sequence);
      if (step.operation.op == Op::Load) forward(number, stores);
      if (drains(step)) {
        for (auto& [bytes, buffer] : buffers)
          if (const u32 count = length(buffer.sequence); count > std::exchange(buffer.drained, count))
            needs_[number].push_back({buffer.sequence, count});
        stores.clear();
      }
      if (!step.is_buffered) continue;
      const auto [at, fresh] = buffers.try_emplace(
          memory_.in_order ? std::pair{u64{0}, u8{0}} : std::pair{step.operation.location, step.operation.size},
          Buffer{sequences()});
      if (fresh) {
        steps_of_.emplace_back();
        owners_.push_back(step.thread);
      }
      const u32 flush = flushes_[number];
      steps_[flush].sequence = at->second.sequence;
      steps_[flush].index = length(at->second.sequence);
      steps_of_[at->second.sequence].push_back(flush);
      steps_[flush].operand = step.operand;
      needs_[flush].push_back({t, step.index + 1});
      if (stores.size() >= memory_.room) {  // the buffer may be full
        if (memory_.in_order)
          needs_[number].push_back({first, steps_[flush].index + 1 - memory_.room});
        else
          needs_room_[number] = true;
      }
      if (!memory_.in_order) {
        std::map<u32, u32> counts;  // by sequence
        for (const auto& [bytes, buffer] : buffers)
          if (buffer.before_barrier > buffer.drained) counts[buffer.sequence] = buffer.before_barrier;
        for (const u32 older : stores)
          if (overlap(steps_[older], step)) {
            const Step& before = steps_[flushes_[older]];
            counts[before.sequence] = std::max(counts[before.sequence], before.index + 1);
          }
        counts.erase(at->second.sequence);
        for (const auto& [sequence, count] : counts) needs_[flush].push_back({sequence, count});
      }
      stores.push_back(number);
    }
    buffers_.push_back({first, sequences()});
  }
}

/// From which of the buffered stores can the load take bytes?
void CausalModel::forward(u32 number, const std::vector<u32>& stores) {
  const machine::Operation& load = steps_[number].operation;
  u32 covered = 0;
  const u32 all = (1u << load.size) - 1;
  for (size_t i = stores.size(); i-- > 0 && covered != all;) {
    const machine::Operation& store = steps_[stores[i]].operation;
    u32 bytes = 0;
    for (u32 k = 0; k < load.size; ++k)
      if (load.location + k - store.location < store.size) bytes |= 1u << k;
    if ((bytes & ~covered) == 0) continue;
    forwarded_[number].push_back(flushes_[stores[i]]);
    covered |= bytes;
  }
}

void CausalModel::find_cells() {
  std::vector<std::pair<u64, u64>> spans;
  for (const Step& step : steps_)
    if (touches_bytes(step))
      spans.emplace_back(step.operation.location,
                         step.operation.location + (machine::is_block(step.operation.op) ? 1 : bytes_of(step)));
  std::sort(spans.begin(), spans.end());
  u32 offset = 0;
  for (const auto& [begin, end] : spans) {
    if (!cells_.empty() && begin < cells_.back().end)
      cells_.back().end = std::max(cells_.back().end, end);
    else
      cells_.push_back({begin, end, 0});
  }
  for (Cell& cell : cells_) {
    cell.offset = offset;
    offset += static_cast<u32>(cell.end - cell.begin);
  }
  initial_memory_.assign(offset, 0);
  for (Step& step : steps_) {
    if (!touches_bytes(step)) continue;
    const u64 begin = step.operation.location, end = begin + bytes_of(step);
    auto first =
        std::partition_point(cells_.begin(), cells_.end(), [&](const Cell& cell) { return cell.end <= begin; });
    auto last = std::partition_point(first, cells_.end(), [&](const Cell& cell) { return cell.begin < end; });
    step.first_cell = static_cast<u32>(first - cells_.begin());
    step.last_cell = static_cast<u32>(last - cells_.begin());
    if (!machine::is_block(step.operation.op)) step.offset = first->offset + static_cast<u32>(begin - first->begin);
  }
}

/// The first access to a byte shows what it holds at the start (a store's event has the value that it overwrote).
void CausalModel::find_initial_memory() {
  std::vector<bool> known(initial_memory_.size(), false);
  for (u32 i = 0; i < (memory_.buffers ? observed_ : steps_.size()); ++i) {
    const Step& step = steps_[i];
    const Op op = step.operation.op;
    if (!machine::is_memory(op) || op == Op::Fence || op == Op::Free || step.is_buffered) continue;
    for (u32 k = 0; k < step.operation.size; ++k) {
      if (known[step.offset + k] || is_from_buffer(i, k)) continue;
      known[step.offset + k] = true;
      initial_memory_[step.offset + k] = static_cast<u8>(overwritten_[i] >> (8 * k));
    }
  }
}

/// Did byte `k` of the load come from a store that was still in the buffer?
bool CausalModel::is_from_buffer(u32 number, u32 k) const {
  const u64 address = steps_[number].operation.location + k;
  for (const u32 flush : forwarded_[number])
    if (flush > number && address - steps_[flush].operation.location < steps_[flush].operation.size) return true;
  return false;
}

void CausalModel::set_result(u32 number, u128 result) {
  id_ = next_id();
  steps_[number].result = result;
}

bool CausalModel::written(const Step& step, u128& value) const {
  return !step.is_buffered && machine::written(step.operation, step.result, step.operand, step.expected, value);
}

std::vector<u128> CausalModel::other_results(u32 number) const {
  const Step& read = steps_[number];
  std::vector<u128> results;
  auto add = [&](u128 value) {
    if (value != read.result && std::find(results.begin(), results.end(), value) == results.end())
      results.push_back(value);
  };
  switch (read.operation.op) {
    case Op::Load:
    case Op::Rmw:
    case Op::Cas: {
      const u32 size = read.operation.size;
      auto bytes_at = [&](const u8* at) {
        u128 value = 0;
        std::memcpy(&value, at, size);
        return value;
      };
      auto covers = [&](const Step& write) {
        const u64 begin = write.operation.location, end = begin + write.operation.size;
        return begin <= read.operation.location && end >= read.operation.location + size;
      };
      // What a store brings counts from when it is executed for its own thread.
      auto brings = [&](const Step& write, u128& value) {
        value = write.operand;
        return write.operation.op != Op::Flush && (write.is_buffered || written(write, value));
      };
      // The thread's own last write hides what was there before it.
      u32 hidden = 0;
      u128 value;
      for (u32 k = read.index; k-- > 0 && hidden == 0;) {
        const Step& write = step(read.thread, k);
        if (machine::is_memory(write.operation.op) && brings(write, value) && covers(write)) hidden = k + 1;
      }
      if (hidden == 0) add(bytes_at(initial_memory_.data() + read.offset));
      for (const Step& write : steps_) {
        if (&write == &read || !machine::is_memory(write.operation.op) || !brings(write, value)) continue;
        if (write.thread == read.thread && (write.index + 1 < hidden || write.index > read.index)) continue;
        if (!covers(write)) continue;  // parts of it: left to complete knowledge
        const u64 begin = write.operation.location;
        add(machine::truncate(value >> (8 * (read.operation.location - begin)), size));
      }
      break;
    }
    case Op::TryLock:
    case Op::TryReadLock:
    case Op::TryWriteLock:
    case Op::TimedLock:
    case Op::TimedReadLock:
    case Op::TimedWriteLock:
    case Op::SemTimedWait:
    case Op::CondWake:
    case Op::FutexWake: add(0), add(ETIMEDOUT); break;
    case Op::SemTryWait:
    case Op::FutexWait: add(0), add(EAGAIN); break;
    case Op::OnceEnter:
    case Op::BarrierArrive: add(0), add(1); break;
    case Op::FutexNotify:
    case Op::SemValue: break;  // left to complete knowledge
    default: break;
  }
  return results;
}

}  // namespace plait::solve

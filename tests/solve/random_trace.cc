#include "random_trace.h"

#include <cstring>
#include <deque>
#include <map>

#include "machine/operation.h"
#include "machine/sync.h"
#include "machine/value.h"

namespace plait::solve {
namespace {

constexpr u64 kMemory = 0x1000, kMutex = 0x8000, kSemaphore = 0x9000, kCondition = 0xa000, kRwLock = 0xb000;

struct Generator {
  std::mt19937_64& random;
  const TraceShape& shape;
  unsigned pick(unsigned n) { return static_cast<unsigned>(random() % n); }
  Order store_order() {
    static constexpr Order kOrders[] = {Order::Plain, Order::Relaxed, Order::Relaxed, Order::Release, Order::SeqCst};
    return kOrders[pick(5)];
  }

  std::vector<Event> list;

  void add(Op op, u64 location, u64 operand = 0, u64 extra = 0, u8 size = 0, u8 detail = 0) {
    Event event{};
    event.op = op;
    event.location = location;
    event.operand = operand;
    event.extra = extra;
    event.size = size;
    event.detail = detail;
    event.order = Order::SeqCst;
    list.push_back(event);
  }

  void memory() {
    u64 at = kMemory + 8 * pick(shape.variables);
    u8 size = 4;
    if (shape.mixed_sizes && pick(3) == 0) size = 2, at += 2 * pick(2);
    switch (pick(8)) {
      case 0:
      case 1:
      case 2: add(Op::Load, at, 0, 0, size); break;
      case 3:
      case 4:
      case 5:
        add(Op::Store, at, pick(3), 0, size);
        if (shape.memory_model != MemoryModel::Sc) list.back().order = store_order();
        break;
      case 6:
        if (shape.memory_model != MemoryModel::Sc && pick(2)) {
          add(Op::Fence, 0);
          list.back().order = pick(2) ? Order::SeqCst : Order::Release;
          break;
        }
        add(Op::Rmw, at, 1, 0, size, static_cast<u8>(RmwKind::Add));
        break;
      default: add(Op::Cas, at, 1 + pick(2), pick(2), size); break;
    }
  }

  void sync() {
    switch (pick(7)) {
      case 0:
      case 1: {
        const u64 mutex = kMutex + 64 * pick(2);
        add(Op::Lock, mutex);
        for (unsigned n = pick(3); n > 0; --n) memory();
        add(Op::Unlock, mutex);
        break;
      }
      case 2: add(Op::TryLock, kMutex); break;
      case 3: add(Op::SemPost, kSemaphore); break;
      case 4: add(Op::SemTryWait, kSemaphore); break;
      case 5: {
        const bool read = pick(2);
        add(read ? Op::ReadLock : Op::WriteLock, kRwLock);
        memory();
        add(Op::RwUnlock, kRwLock);
        break;
      }
      default: add(pick(2) ? Op::Signal : Op::Broadcast, kCondition); break;
    }
  }

  std::vector<Event> thread() {
    list.clear();
    while (list.size() < shape.steps) {
      if (!shape.sync || pick(3))
        memory();
      else
        sync();
    }
    return list;
  }
};

/// What the stores of a thread wait in.
struct Buffer {
  struct Entry {
    Event store;
    unsigned barriers;  // before it
  };
  std::deque<Entry> entries;
  unsigned barriers = 0;

  bool can_flush(size_t index, MemoryModel memory_model) const {
    if (index >= entries.size()) return false;
    if (memory_model == MemoryModel::Tso) return index == 0;
    const Event& store = entries[index].store;
    for (size_t i = 0; i < index; ++i) {
      const Event& older = entries[i].store;
      if (entries[i].barriers < entries[index].barriers) return false;
      if (older.location < store.location + store.size && store.location < older.location + older.size) return false;
    }
    return true;
  }
};

struct Player {
  std::mt19937_64& random;
  MemoryModel memory_model;
  std::vector<std::vector<Event>> lists;
  std::vector<size_t> at;
  std::vector<machine::Object> objects = std::vector<machine::Object>(32);
  std::map<u64, u32> numbers;
  u8 memory[256] = {};
  std::vector<Event> trace;
  ThreadSet forked = 1, ended = 0;
  std::vector<Buffer> buffers = std::vector<Buffer>(8);

  bool flush(ThreadId thread) {
    std::deque<Buffer::Entry>& entries = buffers[thread].entries;
    const size_t index = entries.empty() ? 0 : random() % entries.size();
    if (!buffers[thread].can_flush(index, memory_model)) return false;
    Event event = entries[index].store;
    entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(index));
    event.op = Op::Flush;
    event.thread = buffer_of(thread);
    event.flags = event_flag::kPoint;
    std::memcpy(&event.value, memory + (event.location - kMemory), event.size);
    std::memcpy(memory + (event.location - kMemory), &event.operand, event.size);
    trace.push_back(event);
    return true;
  }

  static bool drains(const Event& event) {
    if (event.op == Op::Load || event.op == Op::Begin) return false;
    return (event.op != Op::Store && event.op != Op::Fence) || event.order == Order::SeqCst;
  }

  /// Buffered stores and fences; false: something else.
  bool perform_weak(const Event& event) {
    if (memory_model == MemoryModel::Sc || (event.op != Op::Store && event.op != Op::Fence)) return false;
    if (event.op == Op::Store && event.order == Order::SeqCst) return false;
    Buffer& buffer = buffers[event.thread];
    if (event.order == Order::Release) ++buffer.barriers;
    if (event.op == Op::Store) buffer.entries.push_back({event, buffer.barriers});
    trace.push_back(event);
    ++at[event.thread];
    return true;
  }

  machine::Operation operation(const Event& event) {
    machine::Operation result;
    result.op = event.op;
    result.location = event.location;
    result.operand = event.operand;
    result.detail = event.detail;
    auto number = [&](u64 key) { return numbers.try_emplace(key, static_cast<u32>(numbers.size()) + 1).first->second; };
    if (machine::is_sync(event.op)) {
      result.object = number(event.location);
      if (event.op >= Op::ReadLock && event.op <= Op::RwUnlock)
        result.object2 = number(event.location + 1 + event.thread);
    }
    return result;
  }

  bool perform(ThreadId thread) {
    Event event = lists[thread][at[thread]];
    event.thread = thread;
    event.position = static_cast<u32>(at[thread] + 1);
    machine::SyncState state{objects.data(), ended};
    const machine::Operation op = operation(event);
    if (drains(event) && !buffers[thread].entries.empty()) return false;
    if (perform_weak(event)) return true;
    if (!machine::enabled(state, thread, op)) return false;
    if (machine::is_memory(event.op)) {
      u8* bytes = memory + (event.location - kMemory);
      u64 old = 0;
      std::memcpy(&old, bytes, event.size);
      for (const Buffer::Entry& entry : buffers[thread].entries)
        for (u64 k = 0; k < entry.store.size; ++k)
          if (const u64 byte = entry.store.location + k - event.location; byte < event.size)
            reinterpret_cast<u8*>(&old)[byte] = static_cast<u8>(entry.store.operand >> (8 * k));
      event.value = old;
      u64 next = old;
      if (event.op == Op::Store) next = event.operand;
      if (event.op == Op::Rmw) next = machine::truncate(old + event.operand, event.size);
      if (event.op == Op::Cas && old == event.extra) next = event.operand;
      std::memcpy(bytes, &next, event.size);
    } else {
      // Signals without waiters only; misuse (unlocking what a failed try-lock did not get) is left out by the caller.
      const machine::Outcome outcome = machine::perform(state, thread, op, 0);
      if (outcome.misuse != machine::Misuse::None) return false;
      event.value = outcome.value;
    }
    if (event.op == Op::Fork) forked |= bit(static_cast<ThreadId>(event.location));
    if (event.op == Op::End) ended |= bit(thread);
    const bool free = event.op == Op::Fork || event.op == Op::Begin || event.op == Op::End || event.op == Op::Join;
    event.flags = free ? 0 : event_flag::kPoint;
    trace.push_back(event);
    ++at[thread];
    // A try-lock that got the mutex gives it back later.
    if (event.op == Op::TryLock && event.value == 0) {
      Event unlock = event;
      unlock.op = Op::Unlock;
      auto& list = lists[thread];
      list.insert(
          list.begin() + static_cast<std::ptrdiff_t>(at[thread] + (at[thread] + 1 < list.size() ? random() % 2 : 0)),
          unlock);
    }
    return true;
  }
};

}  // namespace

std::vector<Event> random_trace(std::mt19937_64& random, const TraceShape& shape) {
  Generator generator{random, shape};
  Player player{random, shape.memory_model, {}, {}};
  std::vector<Event> main;
  auto simple = [](Op op, u64 location = 0) {
    Event event{};
    event.op = op;
    event.location = location;
    return event;
  };
  for (unsigned t = 1; t <= shape.threads; ++t) main.push_back(simple(Op::Fork, t));
  TraceShape small = shape;
  small.steps = shape.steps / 2;
  for (const Event& event : Generator{random, small}.thread()) main.push_back(event);
  for (unsigned t = 1; t <= shape.threads; ++t) main.push_back(simple(Op::Join, t));
  if (shape.variables)
    main.push_back([&] {
      Event load = simple(Op::Load, kMemory);
      load.size = 4;
      return load;
    }());
  player.lists.push_back(main);
  for (unsigned t = 1; t <= shape.threads; ++t) {
    std::vector<Event> list = generator.thread();
    list.insert(list.begin(), simple(Op::Begin));
    list.push_back(simple(Op::End));
    player.lists.push_back(list);
  }
  player.at.assign(player.lists.size(), 0);
  for (unsigned stuck = 0; stuck < 200;) {
    const auto thread = static_cast<ThreadId>(random() % player.lists.size());
    if (shape.memory_model != MemoryModel::Sc && random() % 3 == 0 && player.flush(thread)) {
      stuck = 0;
      continue;
    }
    const bool can = (player.forked & bit(thread)) && player.at[thread] < player.lists[thread].size();
    const bool join = can && player.lists[thread][player.at[thread]].op == Op::Join;
    const bool stepped =
        can &&
        (!join || (player.ended & bit(static_cast<ThreadId>(player.lists[thread][player.at[thread]].location)))) &&
        player.perform(thread);
    stuck = stepped ? 0 : stuck + 1;
  }
  return player.trace;
}

}  // namespace plait::solve

#include "random_trace.h"

#include <cstring>
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

  std::vector<Event> thread() {
    std::vector<Event> list;
    auto add = [&](Op op, u64 location, u64 operand = 0, u64 extra = 0, u8 size = 0, u8 detail = 0) {
      Event event{};
      event.op = op;
      event.location = location;
      event.operand = operand;
      event.extra = extra;
      event.size = size;
      event.detail = detail;
      event.order = Order::SeqCst;
      list.push_back(event);
    };
    auto memory = [&] {
      u64 at = kMemory + 8 * pick(shape.variables);
      u8 size = 4;
      if (shape.mixed_sizes && pick(3) == 0) size = 2, at += 2 * pick(2);
      switch (pick(8)) {
        case 0:
        case 1:
        case 2:
          add(Op::Load, at, 0, 0, size);
          break;
        case 3:
        case 4:
        case 5:
          add(Op::Store, at, pick(3), 0, size);
          break;
        case 6:
          add(Op::Rmw, at, 1, 0, size, static_cast<u8>(RmwKind::Add));
          break;
        default:
          add(Op::Cas, at, 1 + pick(2), pick(2), size);
          break;
      }
    };
    while (list.size() < shape.steps) {
      if (!shape.sync || pick(3)) {
        memory();
        continue;
      }
      switch (pick(7)) {
        case 0:
        case 1: {
          const u64 mutex = kMutex + 64 * pick(2);
          add(Op::Lock, mutex);
          for (unsigned n = pick(3); n > 0; --n) memory();
          add(Op::Unlock, mutex);
          break;
        }
        case 2:
          add(Op::TryLock, kMutex);
          break;
        case 3:
          add(Op::SemPost, kSemaphore);
          break;
        case 4:
          add(Op::SemTryWait, kSemaphore);
          break;
        case 5: {
          const bool read = pick(2);
          add(read ? Op::ReadLock : Op::WriteLock, kRwLock);
          memory();
          add(Op::RwUnlock, kRwLock);
          break;
        }
        default:
          add(pick(2) ? Op::Signal : Op::Broadcast, kCondition);
          break;
      }
    }
    return list;
  }
};

struct Player {
  std::mt19937_64& random;
  std::vector<std::vector<Event>> lists;
  std::vector<size_t> at;
  std::vector<machine::Object> objects = std::vector<machine::Object>(32);
  std::map<u64, u32> numbers;
  u8 memory[256] = {};
  std::vector<Event> trace;
  ThreadSet forked = 1, ended = 0;

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
    if (!machine::enabled(state, thread, op)) return false;
    if (machine::is_memory(event.op)) {
      u8* bytes = memory + (event.location - kMemory);
      u64 old = 0;
      std::memcpy(&old, bytes, event.size);
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
  Player player{random, {}, {}};
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

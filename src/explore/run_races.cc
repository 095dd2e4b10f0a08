#include "explore/run_races.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "explore/schedule.h"
#include "machine/dependence.h"
#include "machine/happens_before.h"

namespace plait {
namespace {

using machine::Keeps;
using machine::Operation;

/// How far each thread is known: the number of its last event that happens before.
struct Clock {
  std::array<u32, kMaxThreads> of{};
  Clock& operator|=(const Clock& other) {
    for (size_t i = 0; i < of.size(); ++i) of[i] = std::max(of[i], other.of[i]);
    return *this;
  }
};

bool is_plain_access(const Event& event) { return machine::is_access(event.op) && event.order <= Order::Volatile; }

/// Steps that are no part of what a thread does.
bool is_no_step(const Event& event) {
  return event.op == Op::Extension || event.op == Op::Initial || (event.flags & event_flag::kPending);
}

}  // namespace

/// One run, event by event; the view of machine::step_behind.
class RunRaces::Pass {
 public:
  using Known = Clock;

  void begin(const machine::MemoryRules& memory) {
    rules_ = memory;
    threads_.assign(kMaxThreads, {});
    for (auto& stores : waiting_) stores.clear();
    memory_.clear();
    objects_.clear();
    accesses_.clear();
    section_ = {};
  }

  template <class Report>
  void perform(const Event& event, Report report) {
    if (is_no_step(event)) return;
    const Operation operation = machine::operation_of(event);
    if (event.op == Op::Flush) return flush(owner_of(event.thread), event.position, operation, report);
    const ThreadId thread = event.thread;
    if (thread >= kMaxThreads) return;
    const u32 now = ++threads_[thread].access.of[thread];
    const bool waits = rules_.is_buffered(event.op, event.order) && !(event.flags & event_flag::kAtOnce);
    if (waits) waiting_[thread].push_back({event.position, operation, handed_on(thread, operation), {}});
    if (machine::is_access(event.op)) {
      compare(thread, operation, [&](ThreadId early, u32 site) {
        // A schedule stops at points only: of a store that waits, in front of its effect.
        if (waits)
          waiting_[thread].back().races.emplace_back(early, site);
        else if (event.flags & event_flag::kPoint)
          report(early, site);
      });
      note(thread, operation, now);
    }
    if (waits) return;
    if (event.op != Op::Load || !is_forwarded(thread, operation))
      machine::step_behind(*this, thread, operation, event.value);
  }

  // What machine::step_behind asks.
  const Clock& known(ThreadId thread, u8 part) { return clock(thread, part); }
  void learn(ThreadId thread, u8 part, const Clock& known) { clock(thread, part) |= known; }
  void begin(ThreadId thread, const Clock& known) { threads_[thread] = {known, {}, {}}; }
  const Clock& object(u64 key) { return objects_[key]; }
  void learn_object(u64 key, const Clock& known) { objects_[key] |= known; }
  const Clock& section() { return section_; }
  void learn_section(const Clock& known) { section_ |= known; }
  Clock message(const Operation& operation) {
    Clock all;
    for (u64 at = operation.location; at < operation.location + operation.size; ++at) {
      const auto found = memory_.find(at);
      if (found == memory_.end()) continue;
      for (const Message& message : found->second) all |= message.known;
    }
    return all;
  }
  void write(ThreadId thread, const Operation& operation, const Clock& hands_on, Keeps keeps) {
    const bool hands = operation.order > Order::Volatile;
    for (u64 at = operation.location; at < operation.location + operation.size; ++at) {
      const auto found = memory_.find(at);
      if (found == memory_.end() && !hands) continue;
      std::vector<Message>& messages = found == memory_.end() ? memory_[at] : found->second;
      if (keeps == Keeps::Nothing) messages.clear();
      if (keeps == Keeps::Own) std::erase_if(messages, [&](const Message& one) { return one.head != thread; });
      if (hands) messages.push_back({thread, hands_on});
    }
  }

 private:
  struct Thread {
    Clock access, fence, read;
  };
  struct Message {
    ThreadId head;  // who began the release sequence
    Clock known;
  };
  struct WaitingStore {
    u32 position;
    Operation operation;
    Clock hands_on;
    std::vector<std::pair<ThreadId, u32>> races;  // with accesses of threads at sites
  };
  struct Access {
    Operation operation;
    ThreadId thread;
    u32 number;  // of its last event
  };

  Clock& clock(ThreadId thread, u8 part) {
    Thread& one = threads_[thread];
    return part == machine::knows::kAccess ? one.access : part == machine::knows::kFence ? one.fence : one.read;
  }
  Clock handed_on(ThreadId thread, const Operation& store) {
    return store.order <= Order::Volatile ? Clock{} : clock(thread, machine::handed_on_by(store.order));
  }
  /// A thread that reads its own store, which waits, reads nothing of others.
  bool is_forwarded(ThreadId thread, const Operation& load) {
    return std::any_of(waiting_[thread].begin(), waiting_[thread].end(), [&](const WaitingStore& store) {
      return load.location - store.operation.location < store.operation.size;
    });
  }
  template <class Report>
  void flush(ThreadId thread, u32 position, const Operation& operation, Report report) {
    auto& stores = waiting_[thread];
    const auto store =
        std::find_if(stores.begin(), stores.end(), [&](const WaitingStore& one) { return one.position == position; });
    if (store == stores.end()) return;
    write(thread, store->operation, store->hands_on, operation.order == Order::Relaxed ? Keeps::Own : Keeps::Nothing);
    for (const auto& [early, site] : store->races) report(early, site);
    stores.erase(store);
  }

  template <class F>
  void each_granule(const Operation& operation, F f) {
    for (u64 at = operation.location >> 3; at <= (operation.location + operation.size - 1) >> 3; ++at) f(at);
  }
  template <class Report>
  void compare(ThreadId thread, const Operation& operation, Report report) {
    each_granule(operation, [&](u64 granule) {
      const auto found = accesses_.find(granule);
      if (found == accesses_.end()) return;
      for (const Access& early : found->second)
        if (early.thread != thread && threads_[thread].access.of[early.thread] < early.number &&
            machine::is_race(early.operation, operation))
          report(early.thread, early.operation.site);
    });
  }
  /// The last access of a thread at a site stands for the ones before: whoever knows of it knows of them.
  void note(ThreadId thread, const Operation& operation, u32 number) {
    each_granule(operation, [&](u64 granule) {
      std::vector<Access>& all = accesses_[granule];
      const auto same = std::find_if(all.begin(), all.end(), [&](const Access& one) {
        const Operation& o = one.operation;
        return one.thread == thread && o.site == operation.site && o.op == operation.op &&
               o.location == operation.location && o.size == operation.size && o.order == operation.order;
      });
      if (same == all.end())
        all.push_back({operation, thread, number});
      else
        same->number = number;
    });
  }

  machine::MemoryRules rules_;
  std::vector<Thread> threads_;
  std::array<std::vector<WaitingStore>, kMaxThreads> waiting_;
  std::unordered_map<u64, std::vector<Message>> memory_;  // by byte: what its value hands on
  std::unordered_map<u64, Clock> objects_;
  std::unordered_map<u64, std::vector<Access>> accesses_;  // by eight bytes
  Clock section_;
};

RunRaces::RunRaces() = default;
RunRaces::~RunRaces() = default;

std::unique_ptr<RunRaces::Pass> RunRaces::take_pass() {
  std::lock_guard lock(mutex_);
  if (passes_.empty()) return std::make_unique<Pass>();
  std::unique_ptr<Pass> pass = std::move(passes_.back());
  passes_.pop_back();
  return pass;
}

void RunRaces::look_at(const machine::MemoryRules& memory, std::span<const Event> events) {
  if (std::none_of(events.begin(), events.end(), is_plain_access)) return;
  std::unique_ptr<Pass> pass = take_pass();
  pass->begin(memory);
  for (size_t i = 0; i < events.size(); ++i)
    pass->perform(events[i], [&](ThreadId thread, u32 site) { keep(events, {i, thread, site}); });
  std::lock_guard lock(mutex_);
  passes_.push_back(std::move(pass));
}

void RunRaces::keep(std::span<const Event> events, const Race& race) {
  const Event& later = events[race.later];
  const std::pair<u32, u32> sites = std::minmax(race.early_site, later.site);
  const std::span<const Event> before = events.first(race.later);
  const auto points = static_cast<size_t>(std::count_if(
      before.begin(), before.end(), [](const Event& event) { return (event.flags & event_flag::kPoint) != 0; }));
  std::lock_guard lock(mutex_);
  if (taken_.contains(sites)) return;
  std::vector<Choice>& kept = shortest_[sites];
  if (!kept.empty() && kept.size() <= points + 1) return;
  std::vector<Choice> steps;
  append_steps(before, steps);
  // How many accesses of that thread a schedule has to pass over, from the second one back.
  u32 between = 0;
  for (size_t i = race.later; i-- > 0;) {
    const Event& event = events[i];
    const bool conflicts = event.thread == race.early_thread && machine::is_access(event.op) &&
                           machine::is_race(machine::operation_of(event), machine::operation_of(later));
    if (conflicts && event.site == race.early_site) break;
    between += conflicts;
  }
  const u32 named = std::min<u32>(between, kLaterAccesses >> 8) << 8;
  steps.push_back(
      {kChosenStep, later.thread, static_cast<u16>(kRaceWith | kEarlier | named | race.early_thread), kNextPoint});
  kept = std::move(steps);
}

std::vector<std::vector<Choice>> RunRaces::take() {
  std::lock_guard lock(mutex_);
  std::vector<std::vector<Choice>> all;
  for (auto& [sites, steps] : shortest_) {
    all.push_back(std::move(steps));
    taken_.insert(sites);
  }
  shortest_.clear();
  return all;
}

void RunRaces::clear() {
  std::lock_guard lock(mutex_);
  shortest_.clear();
  taken_.clear();
}

}  // namespace plait

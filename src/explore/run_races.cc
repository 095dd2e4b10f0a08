#include "explore/run_races.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "explore/run_table.h"
#include "explore/schedule.h"
#include "knowledge/marks.h"
#include "machine/dependence.h"
#include "machine/happens_before.h"
#include "trace/unseen.h"

namespace plait {
namespace {

using machine::Keeps;
using machine::Operation;

/// How far each thread is known: the number of its last event that happens before.
struct Clock {
  std::array<u32, kMaxThreads> of{};
  void clear() { of.fill(0); }
  Clock& operator|=(const Clock& other) {
    for (size_t i = 0; i < of.size(); ++i) of[i] = std::max(of[i], other.of[i]);
    return *this;
  }
};

/// Can it be a part of a race?
bool is_plain_access(const Event& event) {
  return (machine::is_access(event.op) && event.order <= Order::Volatile) || event.op == Op::Input;
}

/// Steps that are no part of what a thread does.
bool is_no_step(const Event& event) {
  return is_note(event.op) || event.op == Op::Initial || (event.flags & event_flag::kPending);
}

}  // namespace

/// One run, event by event; the view of machine::step_behind.
class RunRaces::Pass {
 public:
  using Known = Clock;

  void begin(const machine::MemoryRules& memory) {
    rules_ = memory;
    for (ThreadId thread = 0; thread < used_; ++thread) {
      threads_[thread] = {};
      waiting_[thread].clear();
    }
    used_ = 0;
    memory_.clear();
    objects_.clear();
    accesses_.clear();
    handed_.clear();
    section_ = {};
  }

  template <class Report, class ReportUnseen>
  void perform(const Event& event, Report report, ReportUnseen report_unseen) {
    if (is_no_step(event)) return;
    const Operation operation = machine::operation_of(event);
    if (event.op == Op::Flush) return flush(owner_of(event.thread), event.position, operation, report);
    const ThreadId thread = event.thread;
    if (thread >= kMaxThreads) return;
    use(thread);
    const u32 now = ++threads_[thread].access.of[thread];
    const bool waits = rules_.is_buffered(event.op, event.order) && !(event.flags & event_flag::kAtOnce);
    if (waits) waiting_[thread].push_back({event.position, operation, handed_on(thread, operation), {}});
    if (event.op == Op::Input) hand_over(thread, operation, now, report_unseen);
    if (machine::is_access(event.op)) {
      compare_unseen(thread, operation, !machine::traits(event.op).writes, report_unseen);
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
  void begin(ThreadId thread, const Clock& known) {
    use(thread);
    threads_[thread] = {known, {}, {}};
  }
  const Clock& object(u64 key) { return objects_.at(key); }
  void learn_object(u64 key, const Clock& known) { objects_.at(key) |= known; }
  const Clock& section() { return section_; }
  void learn_section(const Clock& known) { section_ |= known; }
  Clock message(const Operation& operation) {
    Clock all;
    for (u64 at = operation.location; at < operation.location + operation.size; ++at) {
      if (const auto* messages = memory_.find(at))
        for (const Message& message : *messages) all |= message.known;
    }
    return all;
  }
  void write(ThreadId thread, const Operation& operation, const Clock& hands_on, Keeps keeps) {
    const bool hands = operation.order > Order::Volatile;
    if (!hands && memory_.empty()) return;
    for (u64 at = operation.location; at < operation.location + operation.size; ++at) {
      std::vector<Message>* messages = hands ? &memory_.at(at) : memory_.find(at);
      if (!messages) continue;
      if (keeps == Keeps::Nothing) messages->clear();
      if (keeps == Keeps::Own) std::erase_if(*messages, [&](const Message& one) { return one.head != thread; });
      if (hands) messages->push_back({thread, hands_on});
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

  void use(ThreadId thread) { used_ = std::max<unsigned>(used_, thread + 1u); }
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
      const std::vector<Access>* accesses = accesses_.find(granule);
      if (!accesses) return;
      for (const Access& early : *accesses)
        if (early.thread != thread && threads_[thread].access.of[early.thread] < early.number &&
            machine::is_race(early.operation, operation))
          report(early.thread, early.operation.site);
    });
  }
  bool knows_of(ThreadId thread, const Access& early) {
    return early.thread == thread || threads_[thread].access.of[early.thread] >= early.number;
  }
  /// Memory that a library's function may read and write now.
  template <class Report>
  void hand_over(ThreadId thread, const Operation& call, u32 now, Report report) {
    const bool reads = call.detail == kOnlyReads;
    compare_unseen(thread, call, reads, report);
    for (u64 end = call.location + call.span, at = call.location; at < end; at = (at | 7) + 1) {
      const std::vector<Access>* accesses = accesses_.find(at >> 3);
      if (!accesses) continue;
      for (const Access& early : *accesses) {
        const Operation& other = early.operation;
        if (other.location >= end || other.location + other.size <= call.location || knows_of(thread, early)) continue;
        if (!reads || machine::traits(other.op).writes) report(Unseen{call.site, other.site, other.location});
      }
    }
    handed_.push_back({call, thread, now});
  }
  template <class Report>
  void compare_unseen(ThreadId thread, const Operation& operation, bool reads, Report report) {
    const u64 size = operation.op == Op::Input ? operation.span : operation.size;
    for (const Access& early : handed_) {
      const Operation& call = early.operation;
      if (call.location >= operation.location + size || call.location + call.span <= operation.location) continue;
      if ((reads && call.detail == kOnlyReads) || knows_of(thread, early)) continue;
      report(Unseen{call.site, operation.site, std::max(call.location, operation.location)});
    }
  }
  /// The last access of a thread at a site stands for the ones before: whoever knows of it knows of them.
  void note(ThreadId thread, const Operation& operation, u32 number) {
    each_granule(operation, [&](u64 granule) {
      std::vector<Access>& all = accesses_.at(granule);
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
  std::vector<Thread> threads_ = std::vector<Thread>(kMaxThreads);
  unsigned used_ = 0;  // those behind are as new
  std::array<std::vector<WaitingStore>, kMaxThreads> waiting_;
  RunTable<std::vector<Message>> memory_;  // by byte: what its value hands on
  RunTable<Clock> objects_;
  RunTable<std::vector<Access>> accesses_;  // by eight bytes
  std::vector<Access> handed_;              // to libraries' functions
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
    pass->perform(
        events[i], [&](ThreadId thread, u32 site) { keep(events, {i, thread, site}); },
        [&](const Unseen& unseen) { keep(unseen); });
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
  Schedule& kept = shortest_[sites];
  if (kept.claim.is_race() && kept.choices.size() <= points) return;
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
  const auto passed = static_cast<u8>(std::min<u32>(between, 0xff));
  kept = {std::move(steps),
          {Claim::RaceWithEarlier, later.thread, race.early_thread, passed, later.site, race.early_site}};
}

void RunRaces::keep(const Unseen& unseen) {
  std::lock_guard lock(mutex_);
  if (!taken_possible_.contains({unseen.call, unseen.other}))
    possible_.try_emplace({unseen.call, unseen.other}, unseen.address);
}

std::vector<std::string> RunRaces::take_possible() {
  std::lock_guard lock(mutex_);
  std::vector<std::string> all;
  for (const auto& [sites, address] : possible_) {
    taken_possible_.insert(sites);
    all.push_back(fmt::format(
        "race: at {} a library's function works on {}, which another thread uses at the same time (at {}); nobody sees "
        "what it does there",
        place_mark(sites.first), memory_mark(address), place_mark(sites.second)));
  }
  possible_.clear();
  return all;
}

std::vector<Schedule> RunRaces::take() {
  std::lock_guard lock(mutex_);
  std::vector<Schedule> all;
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
  possible_.clear();
  taken_possible_.clear();
}

}  // namespace plait

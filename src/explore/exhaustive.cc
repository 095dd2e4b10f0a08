// Exhaustive enumeration: every interleaving of visible operations is run exactly once, without stored states.
//
// A run follows a prefix and then the default tail. At each of its scheduling points after the prefix, each thread that
// could have stepped instead (and each other arg of the operation) becomes a branch: the steps up to the point, then
// that thread. Two branches differ in the step at which they leave their common trunk, so no interleaving comes twice;
// every interleaving is reached because every alternative of every point is a branch.
//
// With sleep sets (Godefroid 1996) a branch also names the threads whose step was already explored at its point, and
// the worker keeps them asleep until somebody does something that depends on theirs.
//
// When a run finds new shared bytes, what counts as an operation has changed: the enumeration has to begin again.
#include <condition_variable>
#include <mutex>

#include "explore/batch_size.h"
#include "explore/explorer.h"
#include "explore/part_bytes.h"
#include "explore/parts.h"
#include "explore/self_check.h"
#include "explore/tally.h"
#include "explore/work_list.h"

namespace plait {
namespace {

constexpr u32 kDonation = 32;

/// Work that is handed from one engine thread to another, and the agreement that nothing is left.
class Exchange {
 public:
  explicit Exchange(const Control& control, bool root = true) : control_(control), root_(root) {}
  ~Exchange() {
    for (Branch& branch : pool_) Trunk::release(branch.trunk);
  }
  void join(u32 members) {
    std::lock_guard lock(mutex_);
    members_ += members;
  }
  bool hungry() const { return waiting_.load(std::memory_order_relaxed) > 0; }
  bool outgrown() const { return outgrown_.load(std::memory_order_relaxed); }
  bool complete() const { return finished_; }

  void offer(WorkList& list) {
    std::lock_guard lock(mutex_);
    list.donate(kDonation, pool_);
    changed_.notify_all();
  }

  /// Somebody's run has found new shared bytes: all are to leave.
  void outgrow() { outgrown_.store(true); }

  /// Fills the (used up) list; false when the exploration is over.
  bool refill(WorkList& list) {
    std::unique_lock lock(mutex_);
    list.clear();
    waiting_.fetch_add(1);
    bool got = false;
    while (!finished_ && !outgrown() && !control_.stopped()) {
      if (root_) {
        root_ = false;
        list.add_root();
        got = true;
        break;
      }
      if (!pool_.empty()) {
        list.adopt(pool_);
        got = true;
        break;
      }
      if (waiting_.load() == members_) {
        finished_ = true;
        break;
      }
      changed_.wait_for(lock, std::chrono::milliseconds(50));
    }
    if (got) waiting_.fetch_sub(1);
    changed_.notify_all();
    return got;
  }

 private:
  const Control& control_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Branch> pool_;
  bool root_;  // the empty schedule is still to be run
  bool finished_ = false;
  u32 members_ = 1;
  std::atomic<u32> waiting_{0};
  std::atomic<bool> outgrown_{false};
};

/// One engine thread: takes alternatives from its list, runs them in batches, adds the branches that they leave.
class Enumerator {
 public:
  Enumerator(Exploration& exploration, Exchange& exchange, Runner& runner)
      : exploration_(exploration),
        control_(exploration.control),
        exchange_(exchange),
        runner_(runner),
        tally_(control_.counters),
        every_run_(exploration.sink.wants_complete_runs()),
        whole_(exploration.options.self_check || exploration.options.races) {}
  ~Enumerator() { release_flight(0); }

  WorkList& list() { return list_; }

  /// Returns when there is nothing left, or, with `at_most` runs done, to give the caller a chance to get help.
  bool work(u64 at_most) {
    u64 begin = runs_;
    for (;;) {
      if (control_.stopped() || exchange_.outgrown()) return false;
      if (list_.empty() && !exchange_.refill(list_)) return false;
      if (!run_batch()) return false;
      if (exchange_.hungry() && list_.branches() > 1) exchange_.offer(list_);
      if (runs_ - begin >= at_most) return true;
    }
  }

 private:
  bool run_batch() {
    u64 allowed = control_.take(list_.available(size_.get()));
    if (allowed == 0) return false;
    u32 unused = fill(static_cast<u32>(allowed));
    if (unused) control_.give_back(unused);
    bool grew = false;
    u32 consumed = 0;
    size_.begin();
    bool all = exploration_.run(runner_, batch_, [&](u32 index, const RunView& run) {
      grew |= run.outgrown;
      consume(flight_[index], run, grew);
      consumed = index + 1;
    });
    size_.end();
    release_flight(consumed);
    runs_ += consumed;
    tally_.flush();
    if (exploration_.options.self_check) self_check_.verify(runner_, exploration_);
    if (grew) exchange_.outgrow();
    return all;
  }

  /// Returns how many of the allowed runs found no room in the batch.
  u32 fill(u32 allowed) {
    batch_.clear();
    flight_size_ = 0;
    const ExploreOptions& options = exploration_.options;
    while (flight_size_ < allowed) {
      Choice* to = batch_.room(list_.next_points() + 1);
      if (!to) break;
      Alternative next = list_.pop();
      u32 used = merge_steps(next.prefix(), to);
      if (!next.root) to[used++] = Choice{Choice::Run, next.thread, next.arg, kNextPoint};
      Request request{};
      request.report_from = next.point;
      request.tail = options.sleep_sets ? Tail::Sleep : Tail::First;
      request.sleep = options.sleep_sets ? next.sleep : 0;
      request.flags = whole_ ? request_flag::kAllEvents : u8{0};
      batch_.commit(request, used);
      flight_[flight_size_++] = next;
    }
    return allowed - flight_size_;
  }

  void consume(Alternative& alternative, const RunView& run, bool grew) {
    tally_.add(*run.reply);
    // Once a run has found new shared bytes, the schedules of the others may not fit any more: threads stop where they
    // went on before, say in front of a fork. All of it will be run again.
    const bool stale = grew && run.reply->status == RunStatus::Diverged;
    if (!stale && (run.reply->status != RunStatus::Complete || every_run_)) {
      exploration_.sink.finished(FinishedRun{run, whole_ ? std::span<const Choice>{} : alternative.prefix()});
    }
    if (exploration_.options.self_check) self_check_.remember(run);
    if (!grew) add_branches(alternative, run);
    Trunk::release(std::exchange(alternative.trunk, nullptr));
  }

  void add_branches(const Alternative& alternative, const RunView& run) {
    const ThreadSet use_sleep = exploration_.options.sleep_sets ? ~ThreadSet{0} : 0;
    size_t first_new = list_.branches();
    u32 point = whole_ ? 0 : alternative.point;
    bool is_own_step = !alternative.root;
    suffix_.clear();
    for (const Event& event : run.events) {
      if (!(event.flags & event_flag::kPoint)) continue;
      if (point < alternative.point) {
        ++point;
        continue;
      }
      u64 args = has_choices(event) ? event.extra & ~(u64{1} << event.arg) : 0;
      if (is_own_step) {
        is_own_step = false;
        if (event.thread != alternative.thread) return diverged(alternative, event);
        // The other threads of this point belong to the branch that this run came from.
        if (args && !alternative.chosen) list_.add(Branch{nullptr, point, event.thread, args, 0, alternative.sleep});
      } else {
        ThreadSet asleep = event.asleep & use_sleep;
        ThreadSet threads = event.enabled & ~bit(event.thread) & ~asleep;
        if (threads | args) list_.add(Branch{nullptr, point, event.thread, args, threads, asleep | bit(event.thread)});
      }
      suffix_.push_back(step_of(event));
      ++point;
    }
    list_.finish_run(first_new, alternative.prefix(), suffix_);
  }

  void diverged(const Alternative& alternative, const Event& event) {
    exploration_.sink.not_deterministic("at scheduling point " + std::to_string(alternative.point) + ": expected " +
                                        actor_text(exploration_.options.memory, alternative.thread) + ", got " +
                                        raw_text(event));
    control_.stop(StopReason::NotCheckable);
  }

  void release_flight(u32 from) {
    for (u32 i = from; i < flight_size_; ++i) Trunk::release(std::exchange(flight_[i].trunk, nullptr));
    flight_size_ = 0;
  }

  Exploration& exploration_;
  Control& control_;
  Exchange& exchange_;
  Runner& runner_;
  Tally tally_;
  const bool every_run_;
  const bool whole_;  // all events of a run are looked at, not only those behind its prefix
  SelfCheck self_check_;
  WorkList list_;
  std::vector<Choice> suffix_;
  BatchSize size_;
  Batch batch_;
  Alternative flight_[kBatch];
  u32 flight_size_ = 0;
  u64 runs_ = 0;
};

class ExhaustiveExplorer : public Explorer {
 public:
  Attempt attempt(Exploration& exploration) override {
    Exchange exchange(exploration.control);
    Enumerator first(exploration, exchange, exploration.crew.first());
    bool left = false;
    exploration.crew.work(1, [&](u32, Runner&) { left = first.work(exploration.options.first_helpers_after); });
    const u32 members = exploration.options.jobs;
    if (left) exchange.join(members - 1);
    if (left)
      exploration.crew.work(members, [&](u32 member, Runner& runner) {
        member == 0 ? first.work(~u64{0}) : Enumerator(exploration, exchange, runner).work(~u64{0});
      });
    if (exchange.outgrown()) return Attempt::SharingGrew;
    return exchange.complete() ? Attempt::Complete : Attempt::Stopped;
  }
};

}  // namespace

Attempt explore_exhaustive_part(Exploration& exploration, const std::string& part, const PartBudget& budget,
                                std::string& outcome) {
  constexpr size_t kParts = 8;  // that come back
  const PartClock clock(budget);
  Exchange exchange(exploration.control, part.empty());
  Enumerator enumerator(exploration, exchange, exploration.crew.first());
  enumerator.list().add_part(part);
  while (enumerator.work(1) && !clock.over()) {
  }
  if (exchange.outgrown()) return Attempt::SharingGrew;
  PartWriter writer;
  for (const std::string& left : enumerator.list().cut(kParts)) writer.block(left);
  outcome = writer.take();
  return Attempt::Complete;
}

std::unique_ptr<Explorer> make_exhaustive() { return std::make_unique<ExhaustiveExplorer>(); }

}  // namespace plait

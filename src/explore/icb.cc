// Iterative context bounding (Musuvathi, Qadeer, PLDI 2007): every interleaving, those with fewest preemptions first.
// An interleaving has one number of preemptions, so raising the bound by one repeats nothing. Preemption is possible
// before every visible operation.
#include <condition_variable>
#include <map>
#include <mutex>

#include "explore/batch_size.h"
#include "explore/helpers.h"
#include "explore/preemption.h"
#include "explore/self_check.h"
#include "explore/tally.h"
#include "explore/work_list.h"
#include "host/error.h"

namespace plait {
namespace {

/// What is left to run, by the number of preemptions that it takes; shared by the engine's threads. What has more
/// preemptions waits until everything with fewer is done. The mutex also protects the reference counts of the trunks.
class Levels {
 public:
  explicit Levels(Exploration& exploration) : exploration_(exploration), control_(exploration.control) { begin(); }

  /// Fills the worker's batch; false when there is nothing left, or no more may be run.
  bool fill(Worker& worker, u32 most, std::vector<Alternative>& flight) {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (complete_ || control_.stopped()) return false;
      if (grew_ && running_ == 0) begin_again();
      if (WorkList* list = grew_ ? nullptr : lowest()) {
        if (!fill_from(*list, worker, most, flight)) return false;
        ++running_;
        return true;
      }
      if (!complete_) changed_.wait_for(lock, std::chrono::milliseconds(50));
    }
  }

  using NewBranches = std::vector<std::pair<u32, Branch>>;
  /// Of one run, with its steps.
  void add(const NewBranches& branches, std::span<const Choice> steps) {
    std::lock_guard lock(mutex_);
    std::map<u32, size_t> first_new;
    for (const auto& [level, branch] : branches) {
      WorkList& list = levels_[level];
      first_new.try_emplace(level, list.branches());
      list.add(branch);
    }
    for (const auto& [level, first] : first_new) levels_[level].finish_run(first, {}, steps);
  }

  /// The batch has been run.
  void landed(const std::vector<Alternative>& flight) {
    std::lock_guard lock(mutex_);
    for (const Alternative& alternative : flight) Trunk::release(alternative.trunk);
    --running_;
    changed_.notify_all();
  }

  /// Schedules were made when fewer operations were visible: all of them are to be made again.
  bool outdated(const Reply& reply) {
    std::lock_guard lock(mutex_);
    grew_ |= reply.sharing_grew != 0 || exploration_.session.version() != version_;
    return grew_;
  }
  bool complete() const { return complete_; }

 private:
  void begin() {
    grew_ = false;
    version_ = exploration_.session.version();
    levels_.clear();
    levels_[0].add_root();
  }

  void begin_again() {
    control_.counters.interleavings.store(0);
    control_.counters.restarts.fetch_add(1);
    exploration_.sink.restarted();
    begin();
  }

  /// Null while what is running may add to the lowest level, and at the end.
  WorkList* lowest() {
    while (!levels_.empty() && levels_.begin()->second.empty()) {
      if (running_ > 0) return nullptr;
      levels_.erase(levels_.begin());
    }
    const std::optional<u32> bound = exploration_.options.preemption_bound;
    complete_ = levels_.empty() || (bound && levels_.begin()->first > *bound);
    if (!complete_) return &levels_.begin()->second;
    if (!levels_.empty())
      exploration_.sink.not_complete("preemption-bound: " + std::to_string(*bound) +
                                     "; schedules with more preemptions were left out");
    return nullptr;
  }

  bool fill_from(WorkList& list, Worker& worker, u32 most, std::vector<Alternative>& flight) {
    const u64 allowed = control_.take(list.available(most));
    flight.clear();
    worker.clear();
    while (flight.size() < allowed) {
      Choice* to = worker.room(list.next_points() + 1);
      if (!to) {
        if (flight.empty()) throw Error(kExitInternal, "a schedule does not fit into the channel");
        break;
      }
      const Alternative next = list.pop();
      u32 used = merge_steps(next.prefix(), to);
      if (!next.root) to[used++] = Choice{Choice::Run, next.thread, next.arg, kNextPoint};
      Request request{};
      request.tail = Tail::First;
      request.flags = request_flag::kAllEvents;
      worker.commit(request, used);
      flight.push_back(next);
    }
    if (flight.size() < allowed) control_.give_back(allowed - flight.size());
    return !flight.empty();
  }

  Exploration& exploration_;
  Control& control_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<u32, WorkList> levels_;
  u32 running_ = 0;  // batches
  u32 version_ = 0;
  bool grew_ = false;
  bool complete_ = false;
};

/// One engine thread.
class ContextBounding {
 public:
  ContextBounding(Exploration& exploration, Levels& levels, Worker& worker)
      : exploration_(exploration),
        control_(exploration.control),
        levels_(levels),
        worker_(worker),
        tally_(control_.counters) {}

  /// False when there is nothing left; true with `at_most` runs done, to give the caller a chance to get help.
  bool work(u64 at_most) {
    for (u64 runs = 0; runs < at_most; runs += flight_.size()) {
      if (!levels_.fill(worker_, batch_.get(), flight_)) return false;
      batch_.begin();
      worker_.run(control_.cancel_flag(), [&](u32 index, const RunView& run) { consume(flight_[index], run); });
      batch_.end();
      levels_.landed(flight_);
      tally_.flush();
    }
    return true;
  }

 private:
  void consume(const Alternative& alternative, const RunView& run) {
    const bool outdated = levels_.outdated(*run.reply);
    tally_.add(*run.reply);
    if (outdated && run.reply->status == RunStatus::Diverged) return;
    if (run.reply->status != RunStatus::Complete || exploration_.sink.wants_complete_runs())
      exploration_.sink.finished(FinishedRun{run, {}});
    if (!outdated) add_branches(alternative, run);
  }

  /// What this run did not do, by the number of preemptions that it takes.
  void add_branches(const Alternative& alternative, const RunView& run) {
    steps_.clear();
    branches_.clear();
    const MemoryModel model = exploration_.options.memory_model;
    const Event* previous = nullptr;
    u32 preemptions = 0;
    for (const Event& event : run.events) {
      if (!(event.flags & event_flag::kPoint)) continue;
      const u32 point = static_cast<u32>(steps_.size());
      const bool preempts = is_preemption(model, previous, event.enabled, event.thread);
      const bool own = !alternative.root && point == alternative.point;
      if (point >= alternative.point) {
        if (own && event.thread != alternative.thread) return diverged(event);
        const u64 args = has_choices(event) && !(own && alternative.chosen) ? event.extra & ~(u64{1} << event.arg) : 0;
        if (args) add(preemptions + preempts, Branch{nullptr, point, event.thread, args, 0, 0});
        ThreadSet free_switches = 0, forced = 0;
        for (ThreadSet set = own ? 0 : event.enabled & ~bit(event.thread); set; set &= set - 1)
          (is_preemption(model, previous, event.enabled, lowest(set)) ? forced : free_switches) |= bit(lowest(set));
        if (free_switches) add(preemptions, Branch{nullptr, point, event.thread, 0, free_switches, 0});
        if (forced) add(preemptions + 1, Branch{nullptr, point, event.thread, 0, forced, 0});
      }
      preemptions += preempts;
      steps_.push_back(step_of(event));
      if (event.op != Op::Flush) previous = &event;
    }
    levels_.add(branches_, steps_);
  }

  void add(u32 level, const Branch& branch) { branches_.emplace_back(level, branch); }

  void diverged(const Event& event) {
    exploration_.sink.not_deterministic("unexpected " + raw_text(event));
    control_.stop(StopReason::NotCheckable);
  }

  Exploration& exploration_;
  Control& control_;
  Levels& levels_;
  Worker& worker_;
  Tally tally_;
  BatchSize batch_;
  std::vector<Alternative> flight_;
  std::vector<Choice> steps_;
  Levels::NewBranches branches_;
};

class IcbExplorer : public Explorer {
 public:
  bool explore(Exploration& exploration, Worker& first) override {
    exploration.control.counters.interleavings.store(0);
    Levels levels(exploration);
    Helpers helpers(exploration, [&](Worker& worker) { ContextBounding(exploration, levels, worker).work(~u64{0}); });
    helpers.join([&] {
      ContextBounding bounding(exploration, levels, first);
      if (!bounding.work(exploration.options.first_helpers_after)) return;
      helpers.start(exploration.options.jobs - 1);
      bounding.work(~u64{0});
    });
    return levels.complete();
  }
};

}  // namespace

std::unique_ptr<Explorer> make_icb() { return std::make_unique<IcbExplorer>(); }

}  // namespace plait

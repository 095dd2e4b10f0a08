// Iterative context bounding (Musuvathi, Qadeer, PLDI 2007): every interleaving, those with fewest preemptions first.
// An interleaving has one number of preemptions, so raising the bound by one repeats nothing. Preemption is possible
// before every visible operation.
#include <condition_variable>
#include <map>
#include <mutex>

#include "explore/batch_size.h"
#include "explore/explorer.h"
#include "explore/part_bytes.h"
#include "explore/parts.h"
#include "explore/preemption.h"
#include "explore/self_check.h"
#include "explore/tally.h"
#include "explore/work_list.h"

namespace plait {
namespace {

void tell_bound(Exploration& exploration) {
  exploration.sink.not_complete("preemption-bound: " + std::to_string(*exploration.options.preemption_bound) +
                                "; schedules with more preemptions were left out");
}

/// What is left to run, by the number of preemptions that it takes; shared by the engine's threads. What has more
/// preemptions waits until everything with fewer is done. The mutex also protects the reference counts of the trunks.
class Levels {
 public:
  explicit Levels(Exploration& exploration) : exploration_(exploration), control_(exploration.control) {
    levels_[0].add_root();
  }
  /// Of this level only: what has more preemptions is for others.
  Levels(Exploration& exploration, u32 only, const std::string& part)
      : exploration_(exploration), control_(exploration.control), only_(only) {
    if (part.empty())
      levels_[only].add_root();
    else
      levels_[only].add_part(part);
  }
  /// What is left.
  std::map<u32, WorkList>& levels() { return levels_; }

  /// Fills the batch; false when there is nothing left, or no more may be run.
  bool fill(Batch& batch, u32 most, std::vector<Alternative>& flight) {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (complete_ || outgrown_ || control_.stopped()) return false;
      if (WorkList* list = lowest()) {
        if (!fill_from(*list, batch, most, flight)) return false;
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

  /// Schedules were made when fewer operations were visible: all are to leave.
  void outgrow() { outgrown_ = true; }
  Attempt result() const {
    if (outgrown_) return Attempt::SharingGrew;
    return complete_ ? Attempt::Complete : Attempt::Stopped;
  }

 private:
  /// Null while what is running may add to the lowest level, and at the end.
  WorkList* lowest() {
    while (!levels_.empty() && levels_.begin()->second.empty()) {
      if (running_ > 0) return nullptr;
      levels_.erase(levels_.begin());
    }
    if (only_) {
      complete_ = levels_.empty() || levels_.begin()->first > *only_;
      return complete_ ? nullptr : &levels_.begin()->second;
    }
    const std::optional<u32> bound = exploration_.options.preemption_bound;
    complete_ = levels_.empty() || (bound && levels_.begin()->first > *bound);
    if (!complete_) return &levels_.begin()->second;
    if (!levels_.empty()) tell_bound(exploration_);
    return nullptr;
  }

  bool fill_from(WorkList& list, Batch& batch, u32 most, std::vector<Alternative>& flight) {
    const u64 allowed = control_.take(list.available(most));
    flight.clear();
    batch.clear();
    while (flight.size() < allowed) {
      Choice* to = batch.room(list.next_points() + 1);
      if (!to) break;
      const Alternative next = list.pop();
      u32 used = merge_steps(next.prefix(), to);
      if (!next.root) to[used++] = Choice{Choice::Run, next.thread, next.arg, kNextPoint};
      Request request{};
      request.tail = Tail::First;
      request.flags = request_flag::kAllEvents;
      batch.commit(request, used);
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
  std::atomic<bool> outgrown_{false};
  bool complete_ = false;
  std::optional<u32> only_;
};

/// One engine thread.
class ContextBounding {
 public:
  ContextBounding(Exploration& exploration, Levels& levels, Runner& runner)
      : exploration_(exploration),
        control_(exploration.control),
        levels_(levels),
        runner_(runner),
        tally_(control_.counters) {}

  /// False when there is nothing left; true with `at_most` runs done, to give the caller a chance to get help.
  bool work(u64 at_most) {
    for (u64 runs = 0; runs < at_most; runs += flight_.size()) {
      if (!levels_.fill(batch_, size_.get(), flight_)) return false;
      size_.begin();
      exploration_.run(runner_, batch_, [&](u32 index, const RunView& run) { consume(flight_[index], run); });
      size_.end();
      levels_.landed(flight_);
      tally_.flush();
    }
    return true;
  }

 private:
  void consume(const Alternative& alternative, const RunView& run) {
    if (run.outgrown) levels_.outgrow();
    tally_.add(*run.reply);
    if (run.outgrown && run.reply->status == RunStatus::Diverged) return;
    if (run.reply->status != RunStatus::Complete || exploration_.sink.wants_complete_runs())
      exploration_.sink.finished(FinishedRun{run, {}});
    if (!run.outgrown) add_branches(alternative, run);
  }

  /// What this run did not do, by the number of preemptions that it takes.
  void add_branches(const Alternative& alternative, const RunView& run) {
    steps_.clear();
    branches_.clear();
    const machine::MemoryRules& memory = exploration_.options.memory;
    Turn turn;
    u32 preemptions = 0;
    for (const Event& event : run.events) {
      if (!(event.flags & event_flag::kPoint)) continue;
      const u32 point = static_cast<u32>(steps_.size());
      const bool preempts = turn.is_preempted(memory, event.enabled, event.thread);
      const bool own = !alternative.root && point == alternative.point;
      if (point >= alternative.point) {
        if (own && event.thread != alternative.thread) return diverged(event);
        const u64 args = has_choices(event) && !(own && alternative.chosen) ? event.extra & ~(u64{1} << event.arg) : 0;
        if (args) add(preemptions + preempts, Branch{nullptr, point, event.thread, args, 0, 0});
        ThreadSet free_switches = 0, forced = 0;
        for (ThreadSet set = own ? 0 : event.enabled & ~bit(event.thread); set; set &= set - 1)
          (turn.is_preempted(memory, event.enabled, lowest(set)) ? forced : free_switches) |= bit(lowest(set));
        if (free_switches) add(preemptions, Branch{nullptr, point, event.thread, 0, free_switches, 0});
        if (forced) add(preemptions + 1, Branch{nullptr, point, event.thread, 0, forced, 0});
      }
      preemptions += preempts;
      steps_.push_back(step_of(event));
      turn.note(event);
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
  Runner& runner_;
  Tally tally_;
  BatchSize size_;
  Batch batch_;
  std::vector<Alternative> flight_;
  std::vector<Choice> steps_;
  Levels::NewBranches branches_;
};

class IcbExplorer : public Explorer {
 public:
  Attempt attempt(Exploration& exploration) override {
    Levels levels(exploration);
    ContextBounding first(exploration, levels, exploration.crew.first());
    bool left = false;
    exploration.crew.work(1, [&](u32, Runner&) { left = first.work(exploration.options.first_helpers_after); });
    if (left)
      exploration.crew.work(exploration.options.jobs, [&](u32 member, Runner& runner) {
        member == 0 ? first.work(~u64{0}) : ContextBounding(exploration, levels, runner).work(~u64{0});
      });
    return levels.result();
  }
};

/// Parts of one level: those of the next one wait until all are done.
class IcbPlan : public PartPlan {
 public:
  explicit IcbPlan(Exploration& exploration) : exploration_(exploration) { levels_[0].push_back(""); }

  std::optional<std::string> take() override {
    if (under_way_ == 0) std::erase_if(levels_, [](const auto& level) { return level.second.empty(); });
    if (levels_.empty() || levels_.begin()->second.empty() || is_beyond_bound()) return std::nullopt;
    auto& [level, parts] = *levels_.begin();
    PartWriter writer;
    writer.value(level);
    std::string bundle;
    for (size_t n = std::clamp<size_t>(parts.size() / 8, 1, kBundle); n-- > 0; parts.pop_back()) bundle += parts.back();
    writer.block(bundle);
    ++under_way_;
    return writer.take();
  }

  void done(const std::string& outcome) override {
    --under_way_;
    for (PartReader reader(outcome); !reader.at_end();) {
      const u32 level = reader.value<u32>();
      levels_[level].push_back(reader.block());
    }
  }

  Attempt finish() override {
    if (!levels_.empty()) tell_bound(exploration_);
    return Attempt::Complete;
  }

 private:
  static constexpr size_t kBundle = 32;
  bool is_beyond_bound() const {
    const std::optional<u32> bound = exploration_.options.preemption_bound;
    return bound && levels_.begin()->first > *bound;
  }

  Exploration& exploration_;
  std::map<u32, std::vector<std::string>> levels_;
  u32 under_way_ = 0;
};

}  // namespace

std::unique_ptr<PartPlan> plan_icb(Exploration& exploration) { return std::make_unique<IcbPlan>(exploration); }

Attempt explore_icb_part(Exploration& exploration, const std::string& part, const PartBudget& budget,
                         std::string& outcome) {
  constexpr size_t kParts = 8;  // of a level, that come back
  const PartClock clock(budget);
  PartReader reader(part);
  const u32 level = reader.value<u32>();
  Levels levels(exploration, level, reader.block());
  ContextBounding member(exploration, levels, exploration.crew.first());
  while (member.work(1) && !clock.over()) {
  }
  if (levels.result() == Attempt::SharingGrew) return Attempt::SharingGrew;
  PartWriter writer;
  for (auto& [of, list] : levels.levels())
    for (const std::string& left : list.cut(kParts)) {
      writer.value(of);
      writer.block(left);
    }
  outcome = writer.take();
  return Attempt::Complete;
}

std::unique_ptr<Explorer> make_icb() { return std::make_unique<IcbExplorer>(); }

}  // namespace plait

// Iterative context bounding (Musuvathi, Qadeer, PLDI 2007): every interleaving, those with fewest preemptions first.
// An interleaving has one number of preemptions, so raising the bound by one repeats nothing. Preemption is possible
// before every visible operation.
#include <map>

#include "explore/batch_size.h"
#include "explore/explorer.h"
#include "explore/preemption.h"
#include "explore/self_check.h"
#include "explore/tally.h"
#include "explore/work_list.h"
#include "host/error.h"

namespace plait {
namespace {

class IterativeContextBounding {
 public:
  IterativeContextBounding(Exploration& exploration, Worker& worker)
      : exploration_(exploration), control_(exploration.control), worker_(worker), tally_(control_.counters) {}

  bool explore() {
    const std::optional<u32> bound = exploration_.options.preemption_bound;
    begin();
    while (!levels_.empty()) {
      const u32 level = levels_.begin()->first;
      if (bound && level > *bound) {
        exploration_.sink.not_complete("preemption-bound: " + std::to_string(*bound) +
                                       "; schedules with more preemptions were left out");
        return true;
      }
      WorkList& list = levels_.begin()->second;
      if (list.empty()) {
        levels_.erase(levels_.begin());
        continue;
      }
      if (!run_batch(list)) return false;
      if (grew_) begin_again();
    }
    return true;
  }

 private:
  void begin() {
    grew_ = false;
    levels_.clear();
    levels_[0].add_root();
  }

  void begin_again() {
    control_.counters.interleavings.store(0);
    control_.counters.restarts.fetch_add(1);
    exploration_.sink.restarted();
    begin();
  }

  bool run_batch(WorkList& list) {
    const u64 allowed = control_.take(list.available(batch_.get()));
    if (allowed == 0) return false;
    std::vector<Alternative> flight;
    worker_.clear();
    while (flight.size() < allowed) {
      Choice* to = worker_.room(list.next_points() + 1);
      if (!to) {
        if (flight.empty()) throw Error(kExitInternal, "a schedule does not fit into the channel");
        break;
      }
      Alternative next = list.pop();
      u32 used = merge_steps(next.prefix(), to);
      if (!next.root) to[used++] = Choice{Choice::Run, next.thread, next.arg, kNextPoint};
      Request request{};
      request.tail = Tail::First;
      request.flags = request_flag::kAllEvents;
      worker_.commit(request, used);
      flight.push_back(next);
    }
    if (flight.size() < allowed) control_.give_back(allowed - flight.size());
    batch_.begin();
    const bool all = worker_.run(control_.cancel_flag(), [&](u32 index, const RunView& run) {
      grew_ |= run.reply->sharing_grew != 0;
      tally_.add(*run.reply);
      if (grew_ && run.reply->status == RunStatus::Diverged) return;  // its schedule was made before
      if (run.reply->status != RunStatus::Complete || exploration_.sink.wants_complete_runs())
        exploration_.sink.finished(FinishedRun{run, {}});
      if (!grew_) add_branches(flight[index], run);
    });
    batch_.end();
    for (Alternative& alternative : flight) Trunk::release(alternative.trunk);
    tally_.flush();
    return all && !control_.stopped();
  }

  /// What this run did not do, by the number of preemptions that it takes.
  void add_branches(const Alternative& alternative, const RunView& run) {
    steps_.clear();
    std::map<u32, size_t> first_new;
    auto add = [&](u32 level, const Branch& branch) {
      WorkList& list = levels_[level];
      first_new.try_emplace(level, list.branches());
      list.add(branch);
    };
    const Event* previous = nullptr;
    u32 preemptions = 0;
    for (const Event& event : run.events) {
      if (!(event.flags & event_flag::kPoint)) continue;
      const u32 point = static_cast<u32>(steps_.size());
      const bool preempts = is_preemption(previous, event.enabled, event.thread);
      const bool own = !alternative.root && point == alternative.point;
      if (point >= alternative.point) {
        if (own && event.thread != alternative.thread) return diverged(event);
        const u64 args = has_choices(event) && !(own && alternative.chosen) ? event.extra & ~(u64{1} << event.arg) : 0;
        if (args) add(preemptions + preempts, Branch{nullptr, point, event.thread, args, 0, 0});
        ThreadSet free_switches = 0, forced = 0;
        for (ThreadSet set = own ? 0 : event.enabled & ~bit(event.thread); set; set &= set - 1)
          (is_preemption(previous, event.enabled, lowest(set)) ? forced : free_switches) |= bit(lowest(set));
        if (free_switches) add(preemptions, Branch{nullptr, point, event.thread, 0, free_switches, 0});
        if (forced) add(preemptions + 1, Branch{nullptr, point, event.thread, 0, forced, 0});
      }
      preemptions += preempts;
      steps_.push_back(step_of(event));
      previous = &event;
    }
    for (const auto& [level, first] : first_new) levels_[level].finish_run(first, {}, steps_);
  }

  void diverged(const Event& event) {
    exploration_.sink.not_deterministic("unexpected " + raw_text(event));
    control_.stop(StopReason::NotCheckable);
  }

  Exploration& exploration_;
  Control& control_;
  Worker& worker_;
  Tally tally_;
  BatchSize batch_;
  std::map<u32, WorkList> levels_;
  std::vector<Choice> steps_;
  bool grew_ = false;
};

class IcbExplorer : public Explorer {
 public:
  bool explore(Exploration& exploration, Worker& first) override {
    exploration.control.counters.interleavings.store(0);
    return IterativeContextBounding(exploration, first).explore();
  }
};

}  // namespace

std::unique_ptr<Explorer> make_icb() { return std::make_unique<IcbExplorer>(); }

}  // namespace plait

// Runs of an attempt to learn all behaviour, and what is learned from them.
#include <fmt/format.h>

#include "explore/cumulative_search.h"
#include "knowledge/marks.h"

namespace plait {

bool Cumulative::first_run(u8 recorded) {
  if (control_.take(1) == 0) return false;
  bool again = false, too_fine = false, learned = false;
  const int more = (merges() ? request_flag::kStates : 0) | (inputs_ ? request_flag::kLabels : 0);
  run_by_default(static_cast<u8>(request_flag::kAllEvents | recorded | more), [&](const RunView& run) {
    // A thread that computes for long: the steps are finer than those of the exploration, and no limit of that.
    too_fine = recorded && run.reply->status == RunStatus::Limit;
    if (too_fine) return void(control_.counters.executions.fetch_add(1));
    first_grew_ = run.reply->sharing_grew != 0;
    // Its schedule does not say when the stores leave the buffers in which they would have waited.
    again = is_weak() && run.reply->status == RunStatus::Failed && run.outgrown;
    exploration_.refresh();
    if (again) return tally_.add(*run.reply);
    learned = paths_     ? show(run)
              : recorded ? learn(run, tally_, SharedBytes(exploration_.visibility))
                         : learn(run, tally_, [](u64, u64) { return true; });
  });
  if (too_fine) return first_run(0);
  if (again && !control_.stopped()) return first_run();
  return learned && !control_.stopped();
}

bool Cumulative::show(const RunView& run) {
  tally_.add(*run.reply);
  if (run.reply->status != RunStatus::Complete) exploration_.sink.finished(FinishedRun{run, {}});
  return true;
}

bool Cumulative::first_path() {
  if (control_.take(1) == 0) return false;
  bool learned = false;
  grew_ = false;
  const bool all = run_by_default(flags(), [&](const RunView& run) {
    grew_ = run.outgrown;
    learned = !grew_ && learn(run, tally_, [](u64, u64) { return true; });
  });
  return all && learned && !control_.stopped();
}

bool Cumulative::learn_again() {
  const Schedules* schedules = exploration_.options.begin_with;
  if (!schedules) return true;
  grew_ = false;
  Batch batch;
  for (size_t next = 0; next < schedules->size();) {
    batch.clear();
    const u64 allowed = control_.take(kBatch);
    if (allowed == 0) return false;
    for (; next < schedules->size() && batch.size() < allowed; ++next) {
      Request request{};
      request.tail = Tail::First;
      request.flags = flags();
      if (!batch.add(request, (*schedules)[next])) break;
    }
    control_.give_back(allowed - batch.size());
    bool ok = true;
    const bool all = exploration_.run(exploration_.crew.first(), batch, [&](u32, const RunView& run) {
      grew_ |= run.outgrown;
      if (ok && !grew_) ok = learn(run, tally_, [](u64, u64) { return true; });
    });
    tally_.flush();
    if (!all || !ok || grew_ || control_.stopped()) return false;
  }
  if (exploration_.options.taught) *exploration_.options.taught = *schedules;
  return true;
}

bool Cumulative::run_loads(size_t members) {
  if (paths_ && !inputs_) forget_labels(exploration_.runners);
  grew_ = false;
  learning_ = true;
  exploration_.crew.work(static_cast<u32>(members),
                         [&](u32 member, Runner& runner) { run_load(*loads_[member], runner); });
  bool all = true;
  for (size_t m = 0; m < members; ++m) all &= loads_[m]->all;
  return all && learning_ && contradiction_.empty() && !control_.stopped();
}

void Cumulative::run_load(Load& load, Runner& runner) {
  load.all = exploration_.run(runner, load.batch, [&](u32 index, const RunView& run) {
    std::lock_guard lock(mutex_);
    grew_ |= run.outgrown;
    if (everything_ && (!run.outgrown || !is_weak())) album_->add(run);
    hunt_.note(run.reply->points);
    const bool is_asked = !load.asked.empty();
    // Chance may let a thread wait for as long as it likes: that is no limit of the exploration.
    if (!is_asked && run.reply->status == RunStatus::Limit) {
      control_.counters.executions.fetch_add(1);
      return;
    }
    if (learning_ && !grew_) {
      const u64 before = knowledge_.version();
      learning_ = everything_ ? learn(run, load.tally, SharedBytes(exploration_.visibility))
                              : learn(run, load.tally, [](u64, u64) { return true; });
      if (exploration_.options.taught && knowledge_.version() != before)
        exploration_.options.taught->push_back(is_asked ? load.asked[index].schedule.choices
                                                        : FinishedRun{run, {}}.schedule().choices);
      if (learning_ && is_asked) confirm(load.asked[index], run);
      return;
    }
    load.tally.add(*run.reply);
    // Some stores did not wait though others did, which no memory model allows. What fails will fail again.
    if (is_weak()) return;
    // Schedules of the same batch may not fit any more.
    const RunStatus status = run.reply->status;
    if (status != RunStatus::Complete && status != RunStatus::Diverged)
      exploration_.sink.finished(FinishedRun{run, {}});
  });
  load.tally.flush();
}

bool Cumulative::add(Load& load, const Question& question) {
  StepResult last;
  const Path path = question.decider->path(question.lead, last);
  u64 value = last.missing_value;
  if (value == kNoWide && knowledge_.node(knowledge_.canonical(last.missing)).size == 16)
    value = knowledge_.intern_wide(last.wide);
  Asked asked{question.lead, {last.missing, value}};
  if (question.lead.kind == StepKind::Unknown) {
    if (last.kind != StepKind::Unknown || given_up_.contains(asked.target)) return false;
  } else {
    std::vector<u64> key{static_cast<u64>(question.lead.kind)};
    for (const PathStep& step : path.steps) key.push_back(static_cast<u64>(step.node) << 32 | step.arg);
    if (!confirmed_.insert(std::move(key)).second) return false;
  }
  if (!path.has_inputs) {
    obstacle_ = "no inputs were found for a path that some must take";
    return false;
  }
  if (inputs_) inputs_->choose(path.inputs);
  asked.schedule = schedule_of(path);
  if (!ask(load, std::move(asked))) return false;
  if (inputs_ || album_) return true;
  for (Asked& more : asked_of_others(question, path)) {
    if (given_up_.contains(more.target) || control_.take(1) == 0) continue;
    if (!ask(load, std::move(more))) control_.give_back(1);
  }
  return true;
}

bool Cumulative::ask(Load& load, Asked asked) {
  Request request{};
  request.tail = Tail::First;
  request.flags = static_cast<u8>(flags() | (everything_ ? request_flag::kEverything : 0));
  if (!load.batch.add(request, asked.schedule)) return false;
  load.asked.push_back(std::move(asked));
  return true;
}

void Cumulative::add(Load& load, const PathLead& lead) {
  load.batch.clear();
  load.asked.clear();
  if (inputs_) inputs_->choose(lead.path.inputs);
  Asked asked{{0, lead.thread, 0, StepKind::Unknown}, lead.target, schedule_of(lead.path)};
  Request request{};
  request.tail = Tail::First;
  request.flags = flags();
  load.batch.add(request, asked.schedule);
  load.asked.push_back(std::move(asked));
}

void Cumulative::confirm(const Asked& asked, const RunView& run) {
  if (asked.lead.kind != StepKind::Unknown || is_known(asked.target)) return;
  if (everything_) {
    album_->close();
    too_fine_ = true;
    return;
  }
  if (began_otherwise()) return;  // to be searched again
  given_up_.insert(asked.target);
  if (paths_ && run.reply->status != RunStatus::Limit) {
    obstacle_ = fmt::format("at {} a thread went on otherwise than was expected",
                            place_mark(knowledge_.node(asked.target.first).site));
    learning_ = false;
    return;
  }
  if (run.reply->status == RunStatus::Failed && knowledge_.threads() == 1) return;  // the only schedule that there is
  gave_up_ = true;
  if (run.reply->status == RunStatus::Limit) return;
  if (run.reply->status == RunStatus::Failed) {
    exploration_.sink.not_complete("a schedule that should have shown something new failed before it got there");
    return;
  }
  contradiction_ = what_did_not_come(knowledge_, asked);
}

}  // namespace plait

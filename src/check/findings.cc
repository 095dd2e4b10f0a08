#include "check/findings.h"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "check/deadlock.h"
#include "check/gtest_failure.h"

namespace plait {
namespace {

auto order(const Choice& c) { return std::tuple(c.thread, c.position, c.arg); }

/// Are the steps of the run perhaps not all of them? It has found new sharing; or another one has, and the prefix of
/// this one was made before: the reported points do not begin where it ends.
bool is_doubtful(const FinishedRun& run) {
  return run.view.reply->sharing_grew || (run.view.outgrown && !run.prefix.empty());
}

/// Would this run replace the witness? Without building its steps, which most runs lose without.
bool may_replace(const Witness& old, const FinishedRun& run) {
  const Reply& reply = *run.view.reply;
  if (old.sharing_grew != is_doubtful(run)) return old.sharing_grew;
  return std::tuple(reply.switches, reply.points) <= std::tuple(old.switches, old.points);
}

Witness witness_of(const FinishedRun& run, u32 round) {
  const Reply& reply = *run.view.reply;
  return Witness{run.schedule(), reply.switches, reply.points, round, is_doubtful(run)};
}

/// Others may fail before it and after it. The others are about several threads, or none.
bool stops_one_thread(FailureKind kind) {
  switch (kind) {
    case FailureKind::Deadlock:
    case FailureKind::Livelock:
    case FailureKind::Race:
    case FailureKind::ExitWithThreads: return false;
    default: return is_bug(kind);
  }
}

size_t pending_begin(std::span<const Event> events) { return events.size() - pending_operations(events).size(); }

/// The reply of a run that ended with this failure, after `length` of its events.
Reply cut(const RunView& run, const Failure& failure, size_t length) {
  Reply reply = *run.reply;
  reply.failure = failure;
  reply.more_failures = 0;
  for (size_t i = length; i < run.events.size(); ++i) {
    reply.points -= (run.events[i].flags & event_flag::kPoint) != 0;
    reply.switches -= reply.switches > 0 && i > 0 && run.events[i].thread != run.events[i - 1].thread;
  }
  return reply;
}

/// The thread whose failure it is, if others may fail before.
ThreadId whose(const RunView& run, const Failure& failure) {
  if (stops_one_thread(failure.kind)) {
    // A store fails when it leaves the buffer, whatever its thread has done since.
    const size_t events = failure.event - std::min(failure.event, run.reply->skipped);
    if (events == 0 || events > run.events.size()) return failure.thread;
    const Event& last = run.events[events - 1];
    const bool is_flush = last.op == Op::Flush && (last.flags & event_flag::kFailed);
    return is_flush ? last.thread : failure.thread;
  }
  if (failure.kind != FailureKind::Deadlock) return kNoThread;
  const std::vector<Event> core = deadlock_core(run.events);
  // Only of a cycle: others are deadlocked when nobody else can go on, which the end of a schedule cannot say.
  const bool cycle = std::all_of(core.begin(), core.end(), [&](const Event& one) {
    return std::any_of(core.begin(), core.end(), [&](const Event& other) { return other.thread == one.value; });
  });
  return core.empty() || !cycle ? kNoThread : core[0].thread;
}

/// The first events of a run, and of the threads that are blocked for ever what they wait for: in the end as then.
std::vector<Event> with_the_blocked(std::span<const Event> events, size_t length) {
  std::vector<Event> some(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(length));
  const std::vector<Event> core = deadlock_core(events);
  some.insert(some.end(), core.begin(), core.end());
  return some;
}

/// Of the last operation that the thread performed.
u32 last_site(std::span<const Event> events, ThreadId thread) {
  for (size_t i = pending_begin(events); i-- > 0;)
    if (events[i].thread == thread) return events[i].site;
  return kNoSite;
}

}  // namespace

bool Witness::better_than(const Witness& other) const {
  if (sharing_grew != other.sharing_grew) return other.sharing_grew;
  if (std::tuple(switches, points) != std::tuple(other.switches, other.points))
    return std::tuple(switches, points) < std::tuple(other.switches, other.points);
  const std::vector<Choice>&steps = schedule.choices, &others = other.schedule.choices;
  return std::lexicographical_compare(steps.begin(), steps.end(), others.begin(), others.end(),
                                      [](const Choice& a, const Choice& b) { return order(a) < order(b); });
}

BugKey bug_key(const RunView& run) {
  const Failure& failure = run.reply->failure;
  BugKey key{failure.kind, {failure.site, failure.other_site}, ""};
  if (failure.kind == FailureKind::Deadlock) {
    // Which of the blocked threads was noticed first is no part of what the bug is.
    key.sites.clear();
    for (const Event& event : deadlock_core(run.events)) key.sites.push_back(event.site);
    std::sort(key.sites.begin(), key.sites.end());
  }
  // Nor which of two accesses came first.
  if (failure.kind == FailureKind::Race) std::sort(key.sites.begin(), key.sites.end());
  // Where a loop is when its time is over depends on the clock; what its thread did before does not.
  if (failure.kind == FailureKind::InfiniteLoop) key.sites = {last_site(run.events, failure.thread)};
  if (auto told = gtest_failure(failure.kind, failure.message, run.output))
    key.expectation = fmt::format("{}:{}", told->file, told->line);
  return key;
}

void Findings::finished(const FinishedRun& run) {
  switch (run.view.reply->status) {
    case RunStatus::Complete: return keep_outcome(run);
    case RunStatus::Failed:
    case RunStatus::Diverged: return failed(run);
    case RunStatus::Blocked:
    case RunStatus::Redundant:
    case RunStatus::Limit:
    case RunStatus::Stopped: return;  // counted by the explorer
    default: break;
  }
  // Never to be taken for "nothing wrong".
  add_obstacle(
      "divergence: the program did not run (its runtime and this command may be of different versions): compile it "
      "again");
  control_.stop(StopReason::NotCheckable);
}

/// One entry for each failure of a run that went on after some of them: the run up to there.
void Findings::failed(const FinishedRun& run) {
  const RunView& view = run.view;
  if (view.reply->status == RunStatus::Diverged) return failed_once(run);
  bool went_on = false;
  for (const Failure& failure : view.failures()) {
    const size_t length = failure.event - std::min(failure.event, view.reply->skipped);
    const bool deadlock = failure.kind == FailureKind::Deadlock;
    const bool is_cut =
        failure.event != 0 && length < pending_begin(view.events) && (deadlock || stops_one_thread(failure.kind));
    went_on |= is_cut || !view.more_failures.empty();
    const size_t kept = is_cut ? length : view.events.size();
    const Reply reply = cut(view, failure, kept);
    std::vector<Event> events;
    if (is_cut && deadlock) events = with_the_blocked(view.events, kept);
    const RunView part{&reply, events.empty() ? view.events.first(kept) : events, view.output, {}, view.outgrown};
    failed_once({part, run.prefix, whose(view, failure)});
  }
  // Who failed may as well have been a little later: then the program ended before.
  const size_t performed = pending_begin(view.events);
  if (!went_on || performed == 0 || view.events[performed - 1].op != Op::Exit) return;
  keep_outcome({view, run.prefix, view.events[performed - 1].thread});
}

void Findings::failed_once(const FinishedRun& run) {
  const Failure& failure = run.view.reply->failure;
  std::lock_guard lock(mutex_);
  if (!is_bug(failure.kind)) {
    const std::string line = fmt::format("{}: {}", kind_name(failure.kind), failure.message);
    note_obstacle(line);
    obstacle_sites_.emplace(line, failure.site);
    control_.stop(StopReason::NotCheckable);
    return;
  }
  if (run.view.reply->guessed) return;
  BugKey key = bug_key(run.view);
  // It has ended this run, and no other.
  if (!options_.checked.contains(failure.kind)) return keep_ignored(key, failure);
  const auto found = bugs_.find(key);
  if (found != bugs_.end() && !may_replace(found->second.witness, run)) return;
  keep_bug({failure, witness_of(run, round_), std::move(key)});
}

void Findings::keep_ignored(const BugKey& key, const Failure& failure) {
  ignored_.try_emplace(key, failure);
  if (may_go_on(failure.kind))
    note_obstacle(fmt::format("ignored: {} has ended runs; what the program does behind it was not checked",
                              kind_name(failure.kind)));
}

/// Of those with the same key, the best one.
void Findings::keep_bug(FoundBug&& bug) {
  // A run that discovered sharing may not replay; what it found will be found again.
  const bool weak = bug.witness.sharing_grew;
  const auto [found, is_new] = bugs_.try_emplace(bug.key, bug);
  if (is_new) {
    if (!options_.keep_going && !weak) control_.stop(StopReason::Bug);
    return;
  }
  if (!bug.witness.better_than(found->second.witness)) return;
  const bool replaces_weak = found->second.witness.sharing_grew && !weak;
  found->second = std::move(bug);
  if (!options_.keep_going && replaces_weak) control_.stop(StopReason::Bug);
}

Found Findings::found() const {
  Found all{bugs(), outcomes(), {}, {}, fallback_, {}};
  std::lock_guard lock(mutex_);
  all.ignored.assign(ignored_.begin(), ignored_.end());
  all.unmerged.assign(unmerged_.begin(), unmerged_.end());
  for (const std::string& line : obstacles_) {
    const auto site = obstacle_sites_.find(line);
    all.obstacles.emplace_back(line, site == obstacle_sites_.end() ? kNoSite : site->second);
  }
  return all;
}

void Findings::add(const Found& found) {
  std::lock_guard lock(mutex_);
  for (FoundBug bug : found.bugs) {
    bug.witness.round = round_;
    keep_bug(std::move(bug));
  }
  for (FoundOutcome outcome : found.outcomes) {
    outcome.witness.round = round_;
    const auto [known, is_new] = outcomes_.try_emplace(outcome.output, outcome.witness);
    if (!is_new && outcome.witness.better_than(known->second)) known->second = outcome.witness;
  }
  for (const auto& [key, failure] : found.ignored) ignored_.try_emplace(key, failure);
  for (const auto& [line, site] : found.obstacles) {
    note_obstacle(line);
    if (site != kNoSite) obstacle_sites_.emplace(line, site);
  }
  for (const auto& [site, why] : found.unmerged) unmerged_.try_emplace(site, why);
  if (!found.fallback.why.empty()) fallback_ = found.fallback;
}

void Findings::keep_outcome(const FinishedRun& run) {
  if (!options_.outcomes || run.view.reply->guessed) return;
  std::lock_guard lock(mutex_);
  auto found = outcomes_.find(run.view.output);
  if (found == outcomes_.end()) {
    outcomes_.emplace(std::string(run.view.output), witness_of(run, round_));
  } else if (may_replace(found->second, run)) {
    Witness witness = witness_of(run, round_);
    if (witness.better_than(found->second)) found->second = std::move(witness);
  }
}

void Findings::not_deterministic(const std::string& message) {
  add_obstacle("divergence: the program is not deterministic: first difference at " + message);
}

void Findings::add_obstacle(const std::string& line) {
  std::lock_guard lock(mutex_);
  note_obstacle(line);
}

void Findings::note_obstacle(const std::string& line) {
  if (std::find(obstacles_.begin(), obstacles_.end(), line) == obstacles_.end()) obstacles_.push_back(line);
}

u32 Findings::obstacle_site(const std::string& line) const {
  std::lock_guard lock(mutex_);
  auto found = obstacle_sites_.find(line);
  return found == obstacle_sites_.end() ? kNoSite : found->second;
}

std::vector<FoundBug> Findings::bugs() const {
  std::lock_guard lock(mutex_);
  std::vector<FoundBug> result;
  for (const auto& [key, bug] : bugs_) result.push_back(bug);
  auto rank = [](const FoundBug& b) {
    return std::tuple(b.witness.switches, b.witness.points, b.failure.kind, b.failure.site);
  };
  std::sort(result.begin(), result.end(), [&](const FoundBug& a, const FoundBug& b) { return rank(a) < rank(b); });
  return result;
}

std::vector<Failure> Findings::ignored() const {
  std::lock_guard lock(mutex_);
  std::vector<Failure> result;
  for (const auto& [key, failure] : ignored_) result.push_back(failure);
  return result;
}

std::vector<FoundOutcome> Findings::outcomes() const {
  std::lock_guard lock(mutex_);
  std::vector<FoundOutcome> result;
  for (const auto& [output, witness] : outcomes_) result.push_back({output, witness});
  return result;
}

void Findings::restarted() {
  std::lock_guard lock(mutex_);
  for (auto& [key, bug] : bugs_) bug.witness.sharing_grew |= bug.witness.round == round_;
  std::erase_if(outcomes_, [this](const auto& outcome) { return outcome.second.round == round_; });
}

void Findings::begin_round(u32 round) {
  std::lock_guard lock(mutex_);
  round_ = round;
}

void Findings::falls_back(const Fallback& fallback) {
  std::lock_guard lock(mutex_);
  fallback_ = fallback;
}

void Findings::not_merged(u32 site, const std::string& why) {
  std::lock_guard lock(mutex_);
  unmerged_.try_emplace(site, why);
}

}  // namespace plait

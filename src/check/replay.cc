#include "check/replay.h"

#include "base/error.h"
#include "explore/schedule.h"

namespace plait {

RecordedRun run_schedule(Runner& runner, const Schedule& schedule, Tail tail, const std::atomic<bool>* stop) {
  static const std::atomic<bool> never{false};
  RecordedRun result{};
  result.schedule = schedule;
  Request request{};
  request.tail = tail;
  request.flags = kReplayFlags;
  Batch batch;
  batch.add(request, schedule);
  runner.run_again(batch, stop ? *stop : never, [&](u32, const RunView& run) {
    result.reply = *run.reply;
    result.events.assign(run.events.begin(), run.events.end());
    result.output = run.output;
    result.account = run.account;
  });
  return result;
}

RecordedRun replay_fresh(Runners& runners, const Witness& witness, const std::atomic<bool>* stop) {
  return run_schedule(*runners.make(), merged(witness.schedule), Tail::First, stop);
}

bool same_failure(const RecordedRun& run, const FoundBug& expected) {
  if (run.reply.status != RunStatus::Failed || run.reply.failure.kind != expected.failure.kind) return false;
  // A deadlock is who waits for what, not which of them was noticed first.
  if (run.reply.failure.kind == FailureKind::Deadlock)
    return bug_key({&run.reply, run.events, run.output}).sites == expected.key.sites;
  // Where a loop is when its time is over depends on the clock; where a stack is full, on what else is noted there.
  const FailureKind kind = run.reply.failure.kind;
  if (kind == FailureKind::InfiniteLoop || kind == FailureKind::StackOverflow)
    return run.reply.failure.thread == expected.failure.thread;
  return run.reply.failure.site == expected.failure.site;
}

bool fails_otherwise(Runners& runners, const FoundBug& found, const RecordedRun& run, const KindSet& checked) {
  const Failure& failure = run.reply.failure;
  if (run.reply.status != RunStatus::Failed || !checked.contains(failure.kind)) return false;
  return same_failure(replay_fresh(runners, found.witness),
                      {.failure = failure, .witness = {}, .key = bug_key({&run.reply, run.events, run.output})});
}

}  // namespace plait

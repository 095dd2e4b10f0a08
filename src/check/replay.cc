#include "check/replay.h"

#include "explore/schedule.h"
#include "host/error.h"

namespace plait {

RecordedRun run_schedule(Worker& worker, const std::vector<Choice>& schedule, Tail tail, const std::atomic<bool>* stop) {
  static const std::atomic<bool> never{false};
  RecordedRun result{};
  result.schedule = schedule;
  Request request{};
  request.tail = tail;
  request.flags = request_flag::kAllEvents | request_flag::kAgain;
  worker.clear();
  worker.add(request, schedule);
  worker.run(stop ? *stop : never, [&](u32, const RunView& run) {
    result.reply = *run.reply;
    result.events.assign(run.events.begin(), run.events.end());
    result.output = run.output;
  });
  return result;
}

RecordedRun replay_fresh(const Program& program, SessionMemory& session, const WorkerOptions& options,
                         const Witness& witness, const std::atomic<bool>* stop) {
  Worker worker(program, session, options);
  return run_schedule(worker, merged(witness.steps), Tail::First, stop);
}

bool same_failure(const RecordedRun& run, const FoundBug& expected) {
  if (run.reply.status != RunStatus::Failed || run.reply.failure.kind != expected.failure.kind) return false;
  // A deadlock is who waits for what, not which of them was noticed first.
  if (run.reply.failure.kind == FailureKind::Deadlock)
    return bug_key({&run.reply, run.events, run.output}).sites == expected.key.sites;
  return run.reply.failure.site == expected.failure.site;
}

}  // namespace plait

#include "explore/self_check.h"

#include <fmt/core.h>

#include <algorithm>

namespace plait {
namespace {

bool same_event(const Event& a, const Event& b) {
  return a.location == b.location && a.value == b.value && a.operand == b.operand && a.extra == b.extra &&
         a.position == b.position && a.site == b.site && a.thread == b.thread && a.op == b.op && a.size == b.size &&
         a.detail == b.detail && a.order == b.order && a.arg == b.arg;
}

std::string compare(const Reply& expected, std::span<const Event> expected_events, std::string_view expected_output,
                    const RunView& got) {
  std::string difference = first_difference(expected_events, got.events);
  if (!difference.empty()) return difference;
  const Reply& reply = *got.reply;
  if (reply.status != expected.status || reply.failure.kind != expected.failure.kind)
    return fmt::format("the run ended as {}/{} the first time and as {}/{} the second",
                       static_cast<int>(expected.status), static_cast<int>(expected.failure.kind),
                       static_cast<int>(reply.status), static_cast<int>(reply.failure.kind));
  if (expected_output != got.output) return "the program's output differs";
  return "";
}

}  // namespace

namespace {

std::string actor_text(bool is_buffer, ThreadId number) {
  return is_buffer ? fmt::format("the buffer of thread {}", owner_of(number)) : fmt::format("thread {}", number);
}

}  // namespace

std::string actor_text(const machine::MemoryRules& memory, ThreadId number) {
  return actor_text(memory.is_buffer(number), number);
}

std::string raw_text(const Event& e) {
  return fmt::format("{} operation {} (kind {}, {:#x}, value {:#x}, operand {:#x})",
                     actor_text(e.op == Op::Flush, e.thread), e.position, static_cast<int>(e.op), e.location, e.value,
                     e.operand);
}

std::string first_difference(std::span<const Event> expected, std::span<const Event> got) {
  size_t common = std::min(expected.size(), got.size());
  for (size_t i = 0; i < common; ++i)
    if (!same_event(expected[i], got[i]))
      return fmt::format("event {}: expected {}, got {}", i + 1, raw_text(expected[i]), raw_text(got[i]));
  if (expected.size() > common)
    return fmt::format("event {}: expected {}, got the end", common + 1, raw_text(expected[common]));
  if (got.size() > common) return fmt::format("event {}: expected the end, got {}", common + 1, raw_text(got[common]));
  return "";
}

void SelfCheck::remember(const RunView& run) {
  if (run.reply->sharing_grew || run.reply->status == RunStatus::NotRun) return;
  runs_.push_back({{run.events.begin(), run.events.end()}, *run.reply, std::string(run.output)});
}

void SelfCheck::verify(Runner& runner, Exploration& exploration) {
  Batch batch;
  std::vector<Choice> steps;
  for (size_t done = 0; done < runs_.size();) {
    batch.clear();
    size_t first = done;
    while (done < runs_.size()) {
      steps.clear();
      append_steps(runs_[done].events, steps);
      Request request{};
      request.tail = Tail::First;
      // Sleep sets stop a run early; the second time its schedule is all that there is.
      if (runs_[done].reply.status == RunStatus::Redundant) request.tail = Tail::Stop;
      request.flags = request_flag::kAllEvents;
      if (!batch.add(request, merged(steps))) break;
      ++done;
    }
    std::string difference;
    exploration.run(runner, batch, [&](u32 index, const RunView& run) {
      const Remembered& expected = runs_[first + index];
      // What has turned out to be shared since is visible the second time.
      if (!difference.empty() || run.reply->sharing_grew || run.outgrown) return;
      Reply wanted = expected.reply;
      if (wanted.status == RunStatus::Redundant) wanted.status = RunStatus::Stopped;
      difference = compare(wanted, expected.events, expected.output, run);
    });
    if (!difference.empty()) {
      exploration.sink.not_deterministic(difference);
      exploration.control.stop(StopReason::NotCheckable);
      break;
    }
  }
  runs_.clear();
}

}  // namespace plait

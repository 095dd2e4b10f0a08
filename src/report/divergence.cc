#include "report/divergence.h"

#include <fmt/core.h>

#include <algorithm>

#include "report/buffers.h"
#include "report/story.h"

namespace plait {
namespace {

std::string in_words(const Bug& bug, size_t event) {
  const BugEvent& e = bug.events[event];
  // The runtime has noticed it first, and knows why.
  const bool is_pending = e.raw.flags & event_flag::kPending;
  if (is_pending && bug.failure && bug.failure->kind == FailureKind::Divergence) return bug.failure->message;
  const std::string actor = actor_name(bug.options.memory(), e.raw.thread) + (e.raw.op == Op::Flush ? ":" : "");
  return fmt::format("{} {} ({})", actor, Buffers(bug).text(event), short_place(e.place));
}

bool same(const BugEvent& a, const BugEvent& b) {
  const Event &x = a.raw, &y = b.raw;
  return x.thread == y.thread && x.op == y.op && x.position == y.position && x.location == y.location &&
         x.value == y.value && x.operand == y.operand && x.extra == y.extra && x.size == y.size && x.arg == y.arg &&
         a.place.file == b.place.file && a.place.line == b.place.line && a.id == b.id && a.told == b.told;
}

/// A number that is no address; those may differ after a compilation.
bool is_plain(u64 value) { return value < 0x10000 || value > 0xffff'8000'0000'0000; }

bool alike(u64 a, u64 b) { return a == b || (!is_plain(a) && !is_plain(b)); }

bool alike(const BugEvent& a, const BugEvent& b) {
  const Event &x = a.raw, &y = b.raw;
  return x.thread == y.thread && x.op == y.op && x.size == y.size && x.arg == y.arg && alike(x.value, y.value) &&
         alike(x.operand, y.operand) && a.where == b.where && a.place.function == b.place.function;
}

}  // namespace

std::string divergence(const Bug& expected, const Bug& got, Likeness likeness) {
  size_t common = std::min(expected.events.size(), got.events.size());
  for (size_t i = 0; i < common; ++i)
    if (!(likeness == Likeness::Exact ? same(expected.events[i], got.events[i])
                                      : alike(expected.events[i], got.events[i])))
      return fmt::format("diverged at event {}: expected {}, got {}", i + 1, in_words(expected, i), in_words(got, i));
  std::string end = got.failure ? failure_message(*got.failure) : "the end of the run";
  if (expected.events.size() > common)
    return fmt::format("diverged at event {}: expected {}, got {}", common + 1, in_words(expected, common), end);
  if (got.events.size() > common)
    return fmt::format("diverged at event {}: expected {}, got {}", common + 1,
                       expected.failure ? failure_message(*expected.failure) : "the end of the run",
                       in_words(got, common));
  bool fails = got.failure.has_value(), failed = expected.failure.has_value();
  // What GoogleTest said went to the terminal: all that is known here is the trap that it ends in.
  bool same_kind = fails && failed &&
                   (got.failure->kind == expected.failure->kind ||
                    (expected.options.gtest && got.failure->kind == FailureKind::Crash));
  if (fails != failed || (fails && !same_kind))
    return fmt::format("diverged at event {}: expected {}, got {}", common + 1,
                       failed ? failure_message(*expected.failure) : "the end of the run", end);
  return "";
}

}  // namespace plait

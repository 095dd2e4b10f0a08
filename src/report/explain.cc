#include "report/explain.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>

#include "check/deadlock.h"
#include "report/blocked.h"
#include "report/buffers.h"
#include "report/livelock.h"
#include "report/lost_wakeup.h"
#include "report/race.h"
#include "report/relations.h"
#include "report/sync_words.h"

namespace plait {
namespace {

constexpr size_t kMostFrames = 6;

class Lines {
 public:
  void add(int depth, const std::string& text) {
    if (!text.empty()) lines_.push_back({depth, text});
  }
  /// "label: a <- b", if that says more than the place alone.
  void add_stack(int depth, const std::vector<Place>& frames) {
    const std::string text = stack_text(frames);
    if (text.find(" <- ") != std::string::npos) add(depth, "in " + text);
  }
  std::vector<Explanation> take() { return std::move(lines_); }

 private:
  std::vector<Explanation> lines_;
};

void explain_side(const Bug& bug, const RaceAccess& access, Lines& lines) {
  const BugEvent& event = bug.events[access.event];
  const std::string step = access.performed ? fmt::format(" (step {})", access.event + 1) : "";
  lines.add(1, fmt::format("{} {} at {}{}{}", thread_name(bug, access.thread), access.text, short_place(event.place),
                           step, holding_text(bug, access)));
  lines.add_stack(2, places(bug, event.stack));
  lines.add(2, way_text(bug, access));
}

void explain_race(const Bug& bug, Lines& lines) {
  const std::optional<Race> race = race_of(bug);
  if (!race) return;
  const NamedObject* object = object_of(bug, bug.events[race->second.event]);
  std::string what = "the race is on " + race->variable;
  if (object) {
    const bool part = race->variable != object->name && !object->name.empty();
    what += fmt::format("{}{}", part ? fmt::format(", a part of {}: ", object->name) : ", ", object_text(*object));
  }
  lines.add(0, what);
  explain_side(bug, race->first, lines);
  explain_side(bug, race->second, lines);
  std::string why;
  for (const std::string& reason : race_reasons(bug, *race)) why += (why.empty() ? "" : "; ") + reason;
  lines.add(0, "nothing orders the two: " + why);
}

bool is_about_block(FailureKind kind) {
  switch (kind) {
    case FailureKind::UseAfterFree:
    case FailureKind::DoubleFree:
    case FailureKind::HeapOverflow:
    case FailureKind::UninitialisedRead: return true;
    default: return false;
  }
}

constexpr u64 kNear = 256;  // bytes behind a block that an access may have been meant for

/// The life of the block that the failure is about.
void explain_block(const Bug& bug, Lines& lines) {
  const BugFailure& failure = *bug.failure;
  const NamedObject* block = nullptr;
  for (const NamedObject& object : bug.objects)
    if (object.kind == NamedObject::Block && failure.address - object.address < object.size + kNear) block = &object;
  if (!block) return;
  lines.add(0, fmt::format("it is about {}, {} bytes", block->name.empty() ? "a block" : block->name, block->size));
  auto tell = [&](const char* what, ThreadId thread, const Place& place, const std::vector<Place>& frames) {
    std::string stack = stack_text(frames);
    if (stack.empty() && place.known()) stack = fmt::format("{} at {}", place.function, short_place(place));
    lines.add(1, fmt::format("{} by {}: {}", what, thread_name(bug, thread), stack));
  };
  tell("allocated", block->thread, block->made, places(bug, block->stack));
  if (block->freed) tell("freed", block->free_thread, block->ended, places(bug, block->free_stack));
  tell(failure.kind == FailureKind::DoubleFree ? "freed again" : "used", failure.thread, failure.place, failure.frames);
}

/// May somebody have written there without an event that says what? Code that nobody sees has run, or input was read.
bool is_written_unseen(const Bug& bug, const Event& read) {
  return std::any_of(bug.events.begin(), bug.events.end(), [&](const BugEvent& event) {
    const Event& e = event.raw;
    const bool block = (e.op == Op::Input || e.op == Op::Alloc) && read.location - e.location < e.operand;
    return block || (e.flags & event_flag::kUnseen);
  });
}

bool writes(const Event& e) { return machine::is_write(e.op) && (e.op != Op::Cas || e.value == e.extra); }

/// Did somebody write between this store and the read before it of the same thread? Then an update is lost, as a rule.
std::string unseen_write(const Bug& bug, size_t store) {
  const Event& w = bug.events[store].raw;
  std::optional<size_t> between;
  for (size_t i = store; i-- > 0;) {
    const Event& e = bug.events[i].raw;
    if (e.location != w.location || e.size != w.size || bug.events[i].internal) continue;
    if (e.thread != w.thread) {
      if (!between && writes(e)) between = i;
      continue;
    }
    if (e.op != Op::Load || !between) return "";
    const BugEvent& unseen = bug.events[*between];
    return fmt::format(
        "{} wrote {} at {} (step {}) without having seen what {} wrote at {} (step {}): it had read it "
        "before (step {})",
        thread_name(bug, w.thread), bug.events[store].where, short_place(bug.events[store].place), store + 1,
        thread_name(bug, unseen.raw.thread), short_place(unseen.place), *between + 1, i + 1);
  }
  return "";
}

/// The last lost update of something that the failing thread has read behind it; of what it read last, if there is one.
std::string lost_update(const Bug& bug, size_t last_read) {
  constexpr size_t kNearby = 2000;
  if (bug.options.memory().buffers) return "";
  const size_t begin = last_read - std::min(last_read, kNearby);
  std::set<u64> read;
  for (size_t i = last_read + 1; i-- > begin;) {
    const BugEvent& event = bug.events[i];
    const bool own = event.raw.thread == bug.failure->thread && event.raw.op == Op::Load && !event.internal;
    if (!own || !read.insert(event.raw.location).second) continue;
    for (size_t store = i; store-- > begin;) {
      const Event& e = bug.events[store].raw;
      if (e.op != Op::Store || e.location != event.raw.location || e.size != event.raw.size) continue;
      if (std::string text = unseen_write(bug, store); !text.empty()) return text;
    }
  }
  return "";
}

/// The last value that the failing thread saw, and who wrote it: that is what the failure is about more often than not.
void explain_value(const Bug& bug, Lines& lines) {
  std::optional<size_t> last, writer;
  for (size_t i = 0; i < bug.events.size(); ++i) {
    const BugEvent& event = bug.events[i];
    if (event.raw.flags & event_flag::kPending) break;
    if (event.raw.thread != bug.failure->thread || !machine::is_read(event.raw.op) || event.internal) continue;
    if (!in_system_header(event.place.file) && !event.where.empty()) last = i;
  }
  if (!last || bug.runtime) return;
  const BugEvent& read = bug.events[*last];
  const std::string value = read.names.value.empty() ? value_text(read.raw.value, read.raw.size) : read.names.value;
  for (const Relation& r : relations(bug))
    if (r.kind == RelationKind::ReadsFrom && r.to == *last) writer = r.from;
  const std::string what = fmt::format("{} = {} (step {})", read.where, value, *last + 1);
  if (!writer) {
    if (is_written_unseen(bug, read.raw)) return;
    return lines.add(0, what + (bug.options.memory().buffers ? ": no write to it had reached memory by then"
                                                             : ": nobody has written it since the threads began"));
  }
  const BugEvent& from = bug.events[*writer];
  const std::string lost = lost_update(bug, *last);
  // Of another variable: then that one is what went wrong.
  if (lost.empty() || lost.find(" wrote " + read.where + " ") != std::string::npos)
    lines.add(0, fmt::format("{} was written by {} at {} (step {})", what, thread_name(bug, thread_of(bug, from.raw)),
                             short_place(from.place), *writer + 1));
  lines.add(0, lost);
}

/// Members of a cycle: what each holds that another one wants.
void explain_cycle(const Bug& bug, const std::vector<BlockedThread>& blocked, Lines& lines) {
  lines.add(0, "they wait for each other in a circle:");
  for (const BlockedThread& b : blocked) {
    if (!b.core) continue;
    std::string holds;
    for (const BlockedThread& other : blocked)
      if (other.core && other.holder == b.thread && !other.object.empty())
        holds += fmt::format("{}{}{}", holds.empty() ? "holds " : ", ", other.object,
                             other.taken.known() ? fmt::format(" (since {})", short_place(other.taken)) : "");
    lines.add(1, fmt::format("{} {}{}{}", thread_name(bug, b.thread), holds, holds.empty() ? "" : " and ", b.waits) +
                     (b.place.known() ? " at " + short_place(b.place) : "") +
                     (b.holder != kNoThread && b.holder != b.thread ? ", which " + thread_name(bug, b.holder) + " holds"
                                                                    : ""));
    lines.add_stack(2, places(bug, bug.events[b.event].stack));
  }
}

void explain_deadlock(const Bug& bug, Lines& lines) {
  const std::vector<BlockedThread> blocked = blocked_threads(bug);
  ThreadSet core = 0;
  for (const BlockedThread& b : blocked)
    if (b.core) core |= bit(b.thread);
  const bool circle =
      !bug.runtime && count(core) > 1 && std::all_of(blocked.begin(), blocked.end(), [&](const BlockedThread& b) {
        return !b.core || (b.awaits < kMaxThreads && (core & bit(b.awaits)));
      });
  if (circle) explain_cycle(bug, blocked, lines);
  for (const BlockedThread& b : blocked) {
    if (circle && b.core) continue;
    lines.add(0, blocked_text(b));
    if (bug.runtime) continue;
    if (b.core) lines.add_stack(1, places(bug, bug.events[b.event].stack));
    lines.add(1, missed_signal(bug, b.event));
  }
}

}  // namespace

std::string stack_text(const std::vector<Place>& frames) {
  std::string text;
  size_t shown = 0;
  for (const Place& frame : frames) {
    if (!frame.known() || in_system_header(frame.file)) continue;
    if (++shown > kMostFrames) return text + " <- ...";
    text += fmt::format("{}{} at {}", text.empty() ? "" : " <- ", frame.function, short_place(frame));
  }
  return text;
}

std::vector<std::string> legend(const Bug& bug, const std::vector<std::string>& texts,
                                const std::vector<Explanation>& explanation) {
  std::vector<std::string> lines;
  for (const NamedObject& object : bug.objects) {
    // The names of elements say what they are.
    if (object.kind == NamedObject::Variable || object.name.empty() || object.name.ends_with(']')) continue;
    auto names = [&](const std::string& text) {
      const size_t at = text.find(object.name);
      if (at == std::string::npos) return false;
      auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
      const size_t end = at + object.name.size();
      return (at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]));
    };
    const std::string text = object_text(object);
    auto tells = [&](const Explanation& line) {
      return line.text.find(text) != std::string::npos || line.text.starts_with("it is about " + object.name + ",");
    };
    if (std::any_of(explanation.begin(), explanation.end(), tells)) continue;
    if (std::any_of(texts.begin(), texts.end(), names)) lines.push_back(fmt::format("{}: {}", object.name, text));
  }
  return lines;
}

std::vector<Explanation> explanation(const Bug& bug) {
  Lines lines;
  if (!bug.failure) return lines.take();
  switch (bug.failure->kind) {
    case FailureKind::Race: explain_race(bug, lines); break;
    case FailureKind::Deadlock: explain_deadlock(bug, lines); break;
    case FailureKind::Livelock:
      for (const std::string& loop : loops(bug)) lines.add(0, loop);
      break;
    default:
      if (is_about_block(bug.failure->kind))
        explain_block(bug, lines);
      else
        explain_value(bug, lines);
  }
  return lines.take();
}

}  // namespace plait

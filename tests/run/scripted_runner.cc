#include "scripted_runner.h"

#include <cstdio>
#include <sstream>
#include <stdexcept>

#include "machine/dependence.h"
#include "machine/value.h"

namespace plait {
namespace {

using machine::Operation;

u64 address(char name) {
  const bool is_object = name >= 'A' && name <= 'Z';
  return is_object ? ScriptedRunners::kFirstObject + 8u * static_cast<u64>(name - 'A')
                   : ScriptedRunners::kFirstVariable + 8u * static_cast<u64>(name - 'a');
}

u32 number(char object) { return static_cast<u32>(object - 'A') + 1; }

ScriptWord on_object(Op op, const char* names) {
  ScriptWord word;
  word.operation = {.op = op, .location = address(names[0]), .object = number(names[0])};
  if (machine::is_wait(op)) word.operation.operand = address(names[2]), word.operation.object2 = number(names[2]);
  return word;
}

/// A wait is two operations.
void parse(const std::string& text, u32 site, Script& script) {
  const auto object_word = [&](const char* name, Op op) {
    const std::string prefix = std::string(name) + ":";
    if (!text.starts_with(prefix)) return false;
    script.push_back(on_object(op, text.c_str() + prefix.size()));
    return true;
  };
  ScriptWord word;
  unsigned long a = 0, b = 0;
  char name = 0;
  if (object_word("wait", Op::CondWait)) {
    script.push_back(on_object(Op::CondWake, text.c_str() + 5));
  } else if (object_word("lock", Op::Lock) || object_word("unlock", Op::Unlock) ||
             object_word("trylock", Op::TryLock) || object_word("signal", Op::Signal) ||
             object_word("broadcast", Op::Broadcast) || object_word("post", Op::SemPost) ||
             object_word("take", Op::SemWait)) {
  } else if (std::sscanf(text.c_str(), "fail_if:%lu", &a) == 1) {
    script.push_back({.kind = ScriptWord::FailIf, .value = a});
  } else if (std::sscanf(text.c_str(), "skip_unless:%lu,%lu", &a, &b) == 2) {
    script.push_back({.kind = ScriptWord::SkipUnless, .value = a, .words = static_cast<u32>(b)});
  } else {
    Operation access{.size = 8, .order = Order::SeqCst};
    if (std::sscanf(text.c_str(), "%c+=%lu", &name, &a) == 2)
      access.op = Op::Rmw, access.detail = static_cast<u8>(RmwKind::Add), access.operand = a;
    else if (std::sscanf(text.c_str(), "%c?%lu:%lu", &name, &a, &b) == 3)
      access.op = Op::Cas, access.extra = a, access.operand = b;
    else if (std::sscanf(text.c_str(), "%c=%lu", &name, &a) == 2)
      access.op = Op::Store, access.operand = a;
    else if (text.size() == 1)
      access.op = Op::Load, name = text[0];
    else
      throw std::invalid_argument("no word of a script: " + text);
    access.location = address(name);
    word.operation = access;
    script.push_back(word);
  }
  for (ScriptWord& one : script)
    if (one.operation.site == 0) one.operation.site = site;
}

/// One run.
class Run {
 public:
  Run(const std::vector<Script>& scripts, const Request& request, std::span<const Choice> schedule, u32 max_events)
      : scripts_(scripts),
        request_(request),
        schedule_(schedule),
        max_events_(max_events),
        threads_(scripts.size()),
        random_(request.seed),
        sleep_(request.sleep) {
    threads_[0].begun = true;
  }

  void go() {
    reply.status = RunStatus::Complete;
    while (free_steps()) {
      const ThreadSet set = enabled();
      if (set == 0) return deadlock();
      u16 arg = 0;
      const ThreadId thread = decide(set, arg);
      if (reply.status != RunStatus::Complete) return;
      step(thread, arg, set);
      if (reply.status == RunStatus::Complete && ++reply.points >= max_events_) reply.status = RunStatus::Limit;
      if (reply.status != RunStatus::Complete) return;
    }
  }

  Reply reply{};
  std::vector<Event> events;

 private:
  struct Thread {
    bool begun = false, ended = false;
    u32 next = 0;      // word of the script; main: thread to be forked or joined
    u32 position = 0;  // of the operation before
    u64 received = 0;
  };

  const Operation* pending(ThreadId t) const {
    const Thread& thread = threads_[t];
    if (t == 0 || !thread.begun || thread.ended || thread.next >= scripts_[t].size()) return nullptr;
    return &scripts_[t][thread.next].operation;
  }

  Event& record(ThreadId t, const Operation& operation, u8 flags = 0) {
    Event event{};
    event.location = operation.location;
    event.operand = operation.operand;
    event.extra = operation.op == Op::Cas ? operation.extra : 0;
    event.position = threads_[t].position + 1;
    event.site = operation.site;
    event.thread = t;
    event.op = operation.op;
    event.size = operation.size;
    event.detail = operation.detail;
    event.order = operation.order;
    event.flags = flags;
    if (!(flags & event_flag::kPending)) ++threads_[t].position;
    const bool left_out = reply.points < request_.report_from && !(request_.flags & request_flag::kAllEvents);
    reply.skipped += left_out;
    return left_out ? unreported_ = event : events.emplace_back(event);
  }

  void fail(FailureKind kind, ThreadId thread, u32 site, const char* message) {
    reply.status = RunStatus::Failed;
    reply.failure = {.kind = kind,
                     .thread = thread,
                     .is_code = 0,
                     .by_order = 0,
                     .site = site,
                     .address = 0,
                     .other_site = kNoSite,
                     .event = static_cast<u32>(events.size()),
                     .message = {}};
    std::snprintf(reply.failure.message, sizeof reply.failure.message, "%s", message);
  }

  /// What nobody can see: forks, begins, ends, joins, and what a thread does with what it received. False when all is
  /// over.
  bool free_steps() {
    for (bool again = true; again && reply.status == RunStatus::Complete;) {
      again = main_step();
      for (ThreadId t = 1; t < threads_.size(); ++t) again |= own_steps(t);
    }
    return reply.status == RunStatus::Complete && !threads_[0].ended;
  }

  bool main_step() {
    Thread& main = threads_[0];
    const u32 children = static_cast<u32>(threads_.size()) - 1;
    if (main.ended) return false;
    if (main.next < children) {
      record(0, {.op = Op::Fork, .location = ++main.next, .operand = main.next});
      return true;
    }
    if (main.next < 2 * children) {
      const u32 child = main.next - children + 1;
      if (!threads_[child].ended) return false;
      record(0, {.op = Op::Join, .location = child});
      ++main.next;
      return true;
    }
    record(0, {.op = Op::End});
    return main.ended = true;
  }

  bool own_steps(ThreadId t) {
    Thread& thread = threads_[t];
    if (thread.ended || threads_[0].next < t) return false;
    if (!thread.begun) {
      record(t, {.op = Op::Begin});
      return thread.begun = true;
    }
    bool any = false;
    for (; thread.next < scripts_[t].size(); any = true) {
      const ScriptWord& word = scripts_[t][thread.next];
      if (word.kind == ScriptWord::Perform) return any;
      ++thread.next;
      if (word.kind == ScriptWord::SkipUnless && thread.received != word.value) thread.next += word.words;
      if (word.kind == ScriptWord::FailIf && thread.received == word.value) {
        fail(FailureKind::Assertion, t, word.operation.site, "assertion failed");
        return false;
      }
    }
    record(t, {.op = Op::End});
    ended_ |= bit(t);
    return thread.ended = true;
  }

  ThreadSet enabled() {
    ThreadSet set = 0;
    const machine::SyncState state{objects_, ended_};
    for (ThreadId t = 1; t < threads_.size(); ++t)
      if (const Operation* operation = pending(t); operation && machine::enabled(state, t, *operation)) set |= bit(t);
    return set;
  }

  void deadlock() {
    const machine::SyncState state{objects_, ended_};
    u32 site = 0;
    for (ThreadId t = 1; t < threads_.size(); ++t)
      if (const Operation* operation = pending(t)) {
        record(t, *operation, event_flag::kPending).value = machine::awaited(state, t, *operation);
        site = operation->site;
      }
    fail(FailureKind::Deadlock, 1, site, "deadlock");
  }

  ThreadId decide(ThreadSet set, u16& arg) {
    while (entry_ < schedule_.size()) {
      const Choice& choice = schedule_[entry_];
      const bool one_step = choice.position == kNextPoint;
      if (!one_step && threads_[choice.thread].position >= choice.position) {
        ++entry_;
        continue;
      }
      if (!(set & bit(choice.thread))) {
        reply.status = RunStatus::Diverged;
        return 0;
      }
      if (one_step || threads_[choice.thread].position + 1 == choice.position) arg = choice.arg, ++entry_;
      sleeping_ = request_.tail == Tail::Sleep && entry_ == schedule_.size();
      return choice.thread;
    }
    if (request_.tail == Tail::Stop) reply.status = RunStatus::Stopped;
    sleeping_ = request_.tail == Tail::Sleep;
    ThreadSet candidates = sleeping_ ? set & ~sleep_ : set;
    if (!candidates) reply.status = RunStatus::Redundant;
    if (reply.status != RunStatus::Complete) return 0;
    if (request_.tail == Tail::Random) {
      random_ = random_ * 6364136223846793005u + 1442695040888963407u;
      for (u32 n = static_cast<u32>(random_ >> 33) % count(candidates); n; --n) candidates &= candidates - 1;
    }
    return candidates & bit(last_) && request_.tail != Tail::Random ? last_ : lowest(candidates);
  }

  void step(ThreadId t, u16 arg, ThreadSet set) {
    const Operation operation = *pending(t);
    Event& event = record(t, operation, event_flag::kPoint);
    event.enabled = set;
    if (sleeping_) {
      event.asleep = sleep_;
      for (ThreadSet s = sleep_; s; s &= s - 1)
        if (machine::dependent(operation, *pending(lowest(s)))) sleep_ &= ~bit(lowest(s));
    }
    reply.switches += last_ != t;
    last_ = t;
    if (machine::is_sync(operation.op)) {
      machine::SyncState state{objects_, ended_};
      const machine::Outcome outcome = machine::perform(state, t, operation, arg);
      event.value = outcome.value, event.extra = outcome.choices, event.arg = outcome.arg;
      if (outcome.misuse != machine::Misuse::None) {
        event.flags |= event_flag::kRefused;
        fail(FailureKind::LockMisuse, t, operation.site, machine::describe(outcome.misuse));
        reply.failure.by_order = 1;
        return;
      }
    } else {
      event.value = access(operation);
    }
    threads_[t].received = event.value;
    ++threads_[t].next;
  }

  u64 access(const Operation& operation) {
    u64& word = memory_[operation.location];
    const u64 old = word;
    if (operation.op == Op::Store) word = operation.operand;
    if (operation.op == Op::Rmw)
      word = machine::rmw<u64>(static_cast<RmwKind>(operation.detail), old, operation.operand);
    if (operation.op == Op::Cas && old == operation.extra) word = operation.operand;
    return old;
  }

  Event unreported_{};
  const std::vector<Script>& scripts_;
  const Request& request_;
  std::span<const Choice> schedule_;
  const u32 max_events_;
  std::vector<Thread> threads_;
  std::map<u64, u64> memory_;
  machine::Object objects_[27];
  ThreadSet ended_ = 0;
  u64 random_;
  ThreadSet sleep_;
  bool sleeping_ = false;
  size_t entry_ = 0;
  ThreadId last_ = 0;
};

class ScriptedRunner : public Runner {
 public:
  ScriptedRunner(const std::vector<Script>& scripts, u32 max_events) : scripts_(scripts), max_events_(max_events) {}
  bool run(const Batch& batch, const Visibility&, const std::atomic<bool>& cancel, const Consume& consume) override {
    for (u32 i = 0; i < batch.size(); ++i) {
      if (cancel) return false;
      Run run(scripts_, batch.request(i), batch.schedule(i), max_events_);
      run.go();
      run.reply.events = static_cast<u32>(run.events.size());
      consume(i, RunView{&run.reply, run.events, ""});
    }
    return true;
  }

 private:
  const std::vector<Script>& scripts_;
  const u32 max_events_;
};

}  // namespace

ScriptedRunners::ScriptedRunners(const std::vector<std::string>& threads, u32 max_events)
    : scripts_(1), max_events_(max_events) {
  u32 site = 0;
  for (const std::string& text : threads) {
    Script& script = scripts_.emplace_back();
    std::istringstream words(text);
    for (std::string word; words >> word;) parse(word, site += 40, script);
  }
}

Visibility ScriptedRunners::visibility() {
  Visibility all;
  all.shared = {{kFirstVariable, static_cast<u32>(2 * (kFirstObject - kFirstVariable))}};
  return all;
}

std::unique_ptr<Runner> ScriptedRunners::make() { return std::make_unique<ScriptedRunner>(scripts_, max_events_); }

}  // namespace plait

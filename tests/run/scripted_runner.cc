#include "scripted_runner.h"

#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "machine/dependence.h"
#include "scripted_buffers.h"

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
  } else if (text == "fence" || text == "fence:r") {
    word.operation = {.op = Op::Fence, .order = text == "fence" ? Order::SeqCst : Order::Release};
    script.push_back(word);
  } else if (std::sscanf(text.c_str(), "fail_if:%lu", &a) == 1) {
    script.push_back({.kind = ScriptWord::FailIf, .value = a});
  } else if (std::sscanf(text.c_str(), "skip_unless:%lu,%lu", &a, &b) == 2) {
    script.push_back({.kind = ScriptWord::SkipUnless, .value = a, .words = static_cast<u32>(b)});
  } else {
    Operation access{.size = 8, .order = Order::SeqCst};
    const bool strong = text.ends_with('!'), releases = text.ends_with('r');
    if (std::sscanf(text.c_str(), "%c+=%lu", &name, &a) == 2)
      access.op = Op::Rmw, access.detail = static_cast<u8>(RmwKind::Add), access.operand = a;
    else if (std::sscanf(text.c_str(), "%c?%lu:%lu", &name, &a, &b) == 3)
      access.op = Op::Cas, access.extra = a, access.operand = b;
    else if (std::sscanf(text.c_str(), "%c=%lu", &name, &a) == 2)
      access.op = Op::Store, access.operand = a,
      access.order = strong     ? Order::SeqCst
                     : releases ? Order::Release
                                : Order::Relaxed;
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
  Run(const std::vector<Script>& scripts, const Request& request, std::span<const Choice> schedule,
      const machine::MemoryRules& memory, u32 max_events)
      : scripts_(scripts),
        request_(request),
        schedule_(schedule),
        max_events_(max_events),
        threads_(scripts.size()),
        buffers_(memory, scripts.size()),
        random_(request.seed),
        sleep_(request.sleep) {
    while (!schedule_.empty() && schedule_.back().kind == Choice::Asleep) {
      sleeping_stores_.push_back(schedule_.back());
      schedule_ = schedule_.first(schedule_.size() - 1);
    }
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
      if (word.kind == ScriptWord::Perform && !silent_step(t, word.operation)) return any;
      ++thread.next;
      if (word.kind == ScriptWord::SkipUnless && thread.received != word.value) thread.next += word.words;
      if (word.kind == ScriptWord::FailIf && thread.received == word.value) {
        fail(FailureKind::Assertion, t, word.operation.site, "assertion failed");
        return false;
      }
    }
    if (buffers_[t].size()) return any;
    record(t, {.op = Op::End});
    ended_ |= bit(t);
    return thread.ended = true;
  }

  /// What a thread does alone with its buffer. False: it is no such operation, or has to wait.
  bool silent_step(ThreadId t, const Operation& operation) {
    const machine::MemoryRules& rules = buffers_.rules;
    if (operation.op != Op::Fence && !rules.is_buffered(operation.op, operation.order)) return false;
    if (buffers_.waits(t, operation)) return false;
    if (operation.op == Op::Fence) {
      if (!rules.buffers || !buffers_[t].pending.fence(rules, operation.order)) {
        ++threads_[t].position;
        return true;
      }
      buffers_[t].barrier = buffers_[t].size() != 0;
      record(t, operation);
      return true;
    }
    record(t, operation).value = memory_[operation.location];
    buffers_.push(t, operation, threads_[t].position);
    if (!rules.in_order) sleep_ &= ~bit(buffer_of(t));
    return true;
  }

  ThreadSet enabled() {
    ThreadSet set = buffers_.flushing();
    const machine::SyncState state{objects_, ended_};
    for (ThreadId t = 1; t < threads_.size(); ++t)
      if (const Operation* operation = pending(t);
          operation && !buffers_.waits(t, *operation) && machine::enabled(state, t, *operation))
        set |= bit(t);
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
      if (buffers_.is_buffer(choice.thread)) {
        ++entry_;
        const u32 place = one_step ? choice.arg : buffers_.place(choice.thread, choice.position);
        arg = static_cast<u16>(place);
        if (place < buffers_[owner_of(choice.thread)].size()) {
          if (!(buffers_.flushable(choice.thread) >> place & 1)) reply.status = RunStatus::Diverged;
          begin_sleep();
          return choice.thread;
        }
        if (choice.arg & kIfBuffered) continue;
        reply.status = RunStatus::Diverged;
        return 0;
      }
      if (!one_step && threads_[choice.thread].position >= choice.position) {
        ++entry_;
        continue;
      }
      if (!(set & bit(choice.thread))) {
        reply.status = RunStatus::Diverged;
        return 0;
      }
      if (one_step || threads_[choice.thread].position + 1 == choice.position) arg = choice.arg, ++entry_;
      begin_sleep();
      return choice.thread;
    }
    if (request_.tail == Tail::Stop) reply.status = RunStatus::Stopped;
    begin_sleep();
    ThreadSet candidates = sleeping_ ? set & ~sleep_ : set;
    for (ThreadSet left = candidates & buffers_.flushing(); left; left &= left - 1)
      if (!buffers_.awake(lowest(left))) candidates &= ~bit(lowest(left));
    if (!candidates) reply.status = RunStatus::Redundant;
    if (reply.status != RunStatus::Complete) return 0;
    if (request_.tail == Tail::Random) {
      random_ = random_ * 6364136223846793005u + 1442695040888963407u;
      for (u32 n = static_cast<u32>(random_ >> 33) % count(candidates); n; --n) candidates &= candidates - 1;
    }
    const bool goes_on = request_.tail != Tail::Random && (candidates & bit(last_));
    if (const ThreadSet buffers = candidates & buffers_.flushing(); buffers && request_.tail != Tail::Random)
      candidates = buffers;
    const ThreadId next = goes_on && (candidates & bit(last_)) ? last_ : lowest(candidates);
    if (buffers_.is_buffer(next)) arg = static_cast<u16>(__builtin_ctzll(buffers_.awake(next)));
    return next;
  }

  /// From the schedule's last entry on.
  void begin_sleep() {
    if (sleeping_ || request_.tail != Tail::Sleep || entry_ < schedule_.size()) return;
    sleeping_ = true;
    for (const Choice& sleeper : sleeping_stores_)
      if (const u32 place = buffers_.place(sleeper.thread, sleeper.position);
          place < buffers_[owner_of(sleeper.thread)].size())
        buffers_[owner_of(sleeper.thread)].stores[place].asleep = true;
  }

  void note_point(Event& event, ThreadId who, const Operation& operation, ThreadSet set) {
    event.flags |= event_flag::kPoint;
    event.enabled = set;
    if (!sleeping_) return;
    event.asleep = sleep_;
    for (ThreadSet s = sleep_; s; s &= s - 1) {
      const ThreadId sleeper = lowest(s);
      if (!buffers_.is_buffer(sleeper)) {
        if (machine::dependent(who, operation, sleeper, *pending(sleeper))) sleep_ &= ~bit(sleeper);
        continue;
      }
      for (u64 places = buffers_.flushable(sleeper); places; places &= places - 1)
        if (machine::dependent(who, operation, sleeper,
                               buffers_[owner_of(sleeper)].stores[static_cast<u32>(__builtin_ctzll(places))].flush))
          sleep_ &= ~bit(sleeper);
    }
    buffers_.wake_dependent(who, operation);
  }

  void flush(ThreadId actor, u16 place, ThreadSet set) {
    const u64 possible = buffers_.flushable(actor);
    const ScriptedBuffers::Store store = buffers_.take(actor, place);
    const ThreadId thread = owner_of(actor);
    const u32 position = threads_[thread].position;
    Event& event = record(thread, store.flush);
    threads_[thread].position = position;
    event.position = store.position;
    event.thread = actor;
    event.arg = place;
    event.extra = possible & (possible - 1) ? possible : 0;
    event.value = std::exchange(memory_[store.flush.location], store.flush.operand);
    note_point(event, actor, store.flush, set);
  }

  void step(ThreadId t, u16 arg, ThreadSet set) {
    if (buffers_.is_buffer(t)) return flush(t, arg, set);
    const Operation operation = *pending(t);
    Event& event = record(t, operation);
    note_point(event, t, operation, set);
    if (buffers_.rules.drains(operation.op, operation.order)) buffers_[t].pending.drain();
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
      event.value = access(t, operation);
    }
    threads_[t].received = event.value;
    ++threads_[t].next;
  }

  u64 access(ThreadId t, const Operation& operation) {
    u64& word = memory_[operation.location];
    const auto old = static_cast<u64>(machine::load(buffers_[t], operation.location, operation.size, word));
    u128 left = 0;
    if (machine::written(operation, old, operation.operand, operation.extra, left)) word = static_cast<u64>(left);
    return old;
  }

  Event unreported_{};
  const std::vector<Script>& scripts_;
  const Request& request_;
  std::span<const Choice> schedule_;
  std::vector<Choice> sleeping_stores_;
  const u32 max_events_;
  std::vector<Thread> threads_;
  std::map<u64, u64> memory_;
  ScriptedBuffers buffers_;
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
  ScriptedRunner(const std::vector<Script>& scripts, const machine::MemoryRules& memory, u32 max_events)
      : scripts_(scripts), memory_(memory), max_events_(max_events) {}
  bool run(const Batch& batch, const Visibility&, const std::atomic<bool>& cancel, const Consume& consume) override {
    for (u32 i = 0; i < batch.size(); ++i) {
      if (cancel) return false;
      Run run(scripts_, batch.request(i), batch.schedule(i), memory_, max_events_);
      run.go();
      run.reply.events = static_cast<u32>(run.events.size());
      consume(i, RunView{&run.reply, run.events, ""});
    }
    return true;
  }

 private:
  const std::vector<Script>& scripts_;
  const machine::MemoryRules memory_;
  const u32 max_events_;
};

}  // namespace

ScriptedRunners::ScriptedRunners(const std::vector<std::string>& threads, const machine::MemoryRules& memory,
                                 u32 max_events)
    : scripts_(1), memory_(memory), max_events_(max_events) {
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

std::unique_ptr<Runner> ScriptedRunners::make() {
  return std::make_unique<ScriptedRunner>(scripts_, memory_, max_events_);
}

}  // namespace plait

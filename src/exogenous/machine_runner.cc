#include "exogenous/machine_runner.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/error.h"

namespace plait::exogenous {
namespace {

/// One execution as the trace of a program whose main forks and joins everybody.
class Trace {
 public:
  Trace(MachineRunners& runners, const Execution& run, const Request& request, u32 known)
      : runners_(runners),
        operations_(runners.operations()),
        catalogue_(runners.catalogue()),
        run_(run),
        request_(request),
        threads_(known + 1),
        positions_(known + 1),
        left_(known + 1) {
    for (const u32 event : run.events) note_thread(event);
    for (const u32 event : run.pending) note_thread(event);
    if (outgrown) return;
    for (const u32 event : run.events) ++left_[thread(event)];
    for (const u32 event : run.pending) waits_ |= bit(thread(event));
    // Who performs nothing more has ended only if the run went on to its end, or main has awaited everybody.
    cut_off_ = run.status != EndStatus::Complete && run.status != EndStatus::Blocked && left_[0] == 0;
    make();
  }

  Reply reply{};
  std::vector<Event> events;
  bool outgrown = false;

 private:
  ThreadId thread(u32 event) { return runners_.thread_of(catalogue_[event].actor); }

  void note_thread(u32 event) { outgrown |= thread(event) >= threads_; }

  Event& record(ThreadId t, Event event) {
    event.thread = t;
    event.position = ++positions_[t];
    event.site = kNoSite;
    const bool left_out = reply.points < request_.report_from && !(request_.flags & request_flag::kAllEvents);
    reply.skipped += left_out;
    return left_out ? unreported_ = event : events.emplace_back(event);
  }

  void make() {
    for (ThreadId t = 1; t < threads_; ++t) {
      Event fork{};
      fork.op = Op::Fork, fork.location = fork.operand = t;
      record(0, fork);
    }
    for (ThreadId t = 1; t < threads_; ++t) {
      Event begin{};
      begin.op = Op::Begin;
      record(t, begin);
    }
    end_threads();
    ThreadId last = 0;
    for (const u32 number : run_.events) {
      const ThreadId t = thread(number);
      Event& event = record(t, operations_.event(catalogue_[number]));
      perform(event);
      event.flags |= event_flag::kPoint;
      event.enabled = bit(t);
      ++reply.points;
      reply.switches += std::exchange(last, t) != t;
      --left_[t];
      end_threads();
    }
    finish();
  }

  /// What a store has overwritten.
  void perform(Event& event) {
    const auto [word, fresh] = memory_.try_emplace(event.location, operations_.initial(event.location));
    if (event.op == Op::Store) event.value = std::exchange(word->second, event.operand);
    if (event.op == Op::Rmw)
      word->second = event.detail == static_cast<u8>(RmwKind::Add) ? event.value + event.operand : event.operand;
    if (event.op == Op::Cas && event.value == event.extra) word->second = event.operand;
  }

  void end_threads() {
    for (ThreadId t = 1; t < threads_; ++t) {
      if (left_[t] || (waits_ & bit(t)) || (ended_ & bit(t)) || cut_off_) continue;
      Event end{};
      end.op = Op::End;
      record(t, end);
      ended_ |= bit(t);
    }
    for (; joined_ + 1u < threads_ && (ended_ & bit(static_cast<ThreadId>(joined_ + 1))); ++joined_) {
      Event join{};
      join.op = Op::Join, join.location = joined_ + 1u;
      record(0, join);
    }
  }

  void fail(FailureKind kind, ThreadId thread, const std::string& message) {
    reply.status = RunStatus::Failed;
    reply.failure.kind = kind;
    reply.failure.thread = thread;
    reply.failure.site = reply.failure.other_site = kNoSite;
    reply.failure.event = static_cast<u32>(events.size());
    std::snprintf(reply.failure.message, sizeof reply.failure.message, "%s", message.c_str());
  }

  void finish() {
    reply.status = RunStatus::Complete;
    switch (run_.status) {
      case EndStatus::Complete:
        if (joined_ + 1u == threads_) {
          Event end{};
          end.op = Op::End;
          record(0, end);
        }
        break;
      case EndStatus::Blocked: {
        ThreadId first = kNoThread;
        for (const u32 number : run_.pending) {
          Event event = operations_.event(catalogue_[number]);
          event.value = kNoThread;
          event.flags = event_flag::kPending;
          record(thread(number), event);
          first = std::min(first, thread(number));
        }
        fail(FailureKind::Deadlock, first == kNoThread ? ThreadId{0} : first, "deadlock");
        break;
      }
      case EndStatus::Failed: {
        const bool named = !run_.failure.actor.empty() || run_.events.empty();
        const u32 actor = named ? catalogue_.actor(run_.failure.actor) : catalogue_[run_.events.back()].actor;
        fail(FailureKind::Assertion, run_.events.empty() ? ThreadId{0} : runners_.thread_of(actor),
             run_.failure.message);
        break;
      }
      case EndStatus::Diverged:
        fail(FailureKind::Divergence, 0, run_.message.empty() ? "the seed is not possible" : run_.message);
        reply.status = RunStatus::Diverged;
        break;
      case EndStatus::Limit: reply.status = request_.tail == Tail::Stop ? RunStatus::Stopped : RunStatus::Limit; break;
    }
    reply.events = static_cast<u32>(events.size());
  }

  MachineRunners& runners_;
  const Operations& operations_;
  Catalogue& catalogue_;
  const Execution& run_;
  const Request& request_;
  const u32 threads_;
  std::vector<u32> positions_, left_;
  std::map<u64, u64> memory_;
  ThreadSet waits_ = 0, ended_ = 0;
  u32 joined_ = 0;
  bool cut_off_ = false;
  Event unreported_{};
};

class MachineRunner : public Runner {
 public:
  MachineRunner(MachineRunners& runners, const RuntimeOptions& options, const std::atomic<bool>& cancel)
      : runners_(runners), options_(options), runtime_(options, runners.catalogue(), cancel) {}

  bool run(const Batch& batch, const Visibility& given, const std::atomic<bool>& cancel,
           const Consume& consume) override {
    const u32 known = given.shared.empty() ? runners_.threads() : static_cast<u32>(given.shared.size()) - 1;
    u32 asked = 0;
    for (u32 i = 0; i < batch.size(); ++i) {
      for (; asked < batch.size() && asked < i + runtime_.hello().window; ++asked) ask(batch, asked);
      Execution run;
      try {
        run = runtime_.next();
      } catch (const Cancelled&) {
        return false;
      }
      Trace trace(runners_, run, batch.request(i), known);
      if (trace.outgrown) trace.reply.sharing_grew = 1, trace.reply.status = RunStatus::Stopped;
      consume(i, RunView{&trace.reply,
                         trace.events,
                         run.result ? std::string_view(*run.result) : std::string_view(),
                         {},
                         trace.outgrown || runners_.threads() > known});
    }
    return !cancel;
  }

 private:
  void ask(const Batch& batch, u32 index) {
    std::vector<Symbol> seed = runners_.seed_of(batch.schedule(index));
    const bool stops = batch.request(index).tail == Tail::Stop;
    const u32 most = stops ? static_cast<u32>(seed.size()) : options_.max_events;
    runtime_.ask(std::move(seed), most);
  }

  MachineRunners& runners_;
  const RuntimeOptions& options_;
  Runtime runtime_;
};

}  // namespace

MachineRunners::MachineRunners(const RuntimeOptions& options, Catalogue& catalogue, const Operations& operations,
                               const std::atomic<bool>& cancel)
    : options_(options), catalogue_(catalogue), operations_(operations), cancel_(cancel) {}

std::unique_ptr<Runner> MachineRunners::make() { return std::make_unique<MachineRunner>(*this, options_, cancel_); }

u32 MachineRunners::threads() {
  std::lock_guard lock(mutex_);
  return static_cast<u32>(actors_.size());
}

ThreadId MachineRunners::thread_of(u32 actor) {
  if (catalogue_.actor_name(actor) == operations_.main()) return 0;
  std::lock_guard lock(mutex_);
  const auto found = std::find(actors_.begin(), actors_.end(), actor);
  if (found == actors_.end()) {
    if (actors_.size() + 2 >= kMaxThreads)
      throw Error(kExitUsage,
                  fmt::format("there are more than {} actors: too many for this explorer", kMaxThreads - 2));
    actors_.push_back(actor);
    return static_cast<ThreadId>(actors_.size());
  }
  return static_cast<ThreadId>(found - actors_.begin() + 1);
}

std::string MachineRunners::actor_name(u32 thread) {
  std::lock_guard lock(mutex_);
  return thread == 0 || thread > actors_.size() ? "main" : catalogue_.actor_name(actors_[thread - 1]);
}

/// One range more for each actor that is known: more actors are more to see.
Visibility MachineRunners::visibility() {
  Visibility all;
  const u32 count = threads();
  all.shared.push_back({0x10000, u32{1} << 30});
  all.identities.push_back({kNoThread, 0, 0});
  for (u32 t = 1; t <= count; ++t) {
    all.shared.push_back({u64{1} << 41 | t * 16, 8});
    all.identities.push_back({0, 0, static_cast<u16>(t - 1)});
  }
  return all;
}

std::vector<Symbol> MachineRunners::seed_of(std::span<const Choice> schedule) {
  std::vector<Symbol> seed;
  std::vector<u32> performed(kMaxThreads);
  const u32 count = threads();
  for (const Choice& choice : schedule) {
    if (choice.kind != Choice::Run || choice.thread > count) continue;
    const bool is_main = choice.thread == 0;
    std::string actor;
    if (is_main) {
      actor = operations_.main();
    } else {
      std::lock_guard lock(mutex_);
      actor = catalogue_.actor_name(actors_[choice.thread - 1]);
    }
    // Main's own events come behind its forks and joins, the others' behind their Begin.
    const u32 before = is_main ? 2 * count : 1;
    u32& done = performed[choice.thread];
    const u32 until = choice.position == kNextPoint ? done + 1
                      : choice.position <= before   ? 0
                                                    : choice.position - before;
    for (; done < until; ++done) seed.push_back(catalogue_.symbols.of(fmt::format("{}:{}", actor, done)));
  }
  return seed;
}

}  // namespace plait::exogenous

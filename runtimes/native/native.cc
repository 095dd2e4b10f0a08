// Our own runtime through the protocol of docs/runtimes.md: plait explore --runtime native PROGRAM ARGUMENTS, where the
// program was compiled with plait cc or plait c++. It proves that the protocol is enough, and is slower than `plait
// check`, which does the same through shared memory.
//
// Events are the scheduling points of a run. It knows accesses to memory of which none overlaps another one in part,
// mutexes and semaphores; whatever else a program does is an error that names it.
#include <plait_runtime.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "base/error.h"
#include "host/native_runner.h"
#include "host/program.h"

namespace {

using plait::Choice;
using plait::Op;
using plait::RunStatus;
using plait::RunView;
using plait::ThreadId;
using plait::u32;
using plait::u64;

constexpr u32 kMostEvents = 20000;
constexpr u32 kFirstRuns = 200;  // at random: what do threads share?

/// The runtime cannot go on: Plait prints it.
struct Unknown : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string actor_name(ThreadId thread) { return thread == 0 ? "main" : "T" + std::to_string(thread); }

/// Memory that is used in one piece each time.
class Objects {
 public:
  std::string name(u64 begin, u64 size) {
    const auto next = all_.lower_bound(begin);
    const bool known = next != all_.end() && next->first == begin && next->second == size;
    const bool touches_next = next != all_.end() && next->first < begin + size;
    const bool touches_last = next != all_.begin() && std::prev(next)->first + std::prev(next)->second > begin;
    if (!known && (touches_next || touches_last))
      throw Unknown("two accesses overlap in part, which this runtime does not know");
    all_.emplace(begin, size);
    return plain(begin);
  }
  static std::string plain(u64 location) {
    char text[32];
    std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(location));
    return text;
  }

 private:
  std::map<u64, u64> all_;
};

const char* kind_of(const plait::Event& event) {
  switch (event.op) {
    case Op::Load: return "read";
    case Op::Store: return "write";
    case Op::Rmw:
      if (event.detail == static_cast<plait::u8>(plait::RmwKind::Add)) return "add";
      return event.detail == static_cast<plait::u8>(plait::RmwKind::Exchange) ? "exchange" : "update";
    case Op::Cas: return "cas";
    case Op::Lock: return "lock";
    case Op::TryLock: return "try-lock";
    case Op::Unlock: return "unlock";
    case Op::SemWait: return "take";
    case Op::SemPost: return "post";
    default: return nullptr;
  }
}

/// One run, as events of the protocol.
class Told {
 public:
  Told(const RunView& view, Objects& objects) : objects_(objects) {
    for (const plait::Event& event : view.events) take(event);
  }

  std::vector<std::pair<std::string, plait::runtime::Event>> events, pending;  // with their names
  std::map<u64, long> first_values;

 private:
  void take(const plait::Event& event) {
    const ThreadId thread = event.thread;
    if (event.op == Op::Fork && last_.count(thread))
      forked_behind_[static_cast<ThreadId>(event.location)] = last_[thread];
    if (event.op == Op::Join) joined_[thread].push_back(static_cast<ThreadId>(event.location));
    if (event.flags & plait::event_flag::kPending) {
      if (event.op == Op::Join) return;  // whoever is joined waits, too
      pending.emplace_back(name_of(thread), described(event));
    } else if (event.flags & plait::event_flag::kPoint) {
      add(event);
    }
  }

  void add(const plait::Event& event) {
    const std::string name = name_of(event.thread);
    plait::runtime::Event told = described(event);
    // The first event of a thread comes behind what its parent did before, and whoever joins it comes behind its last.
    if (counts_[event.thread] == 0 && forked_behind_.count(event.thread))
      told.set("behind", forked_behind_[event.thread]);
    for (const ThreadId child : joined_[event.thread])
      if (last_index_.count(child)) events[last_index_[child]].second.set("joined_by", name);
    joined_[event.thread].clear();
    ++counts_[event.thread];
    last_[event.thread] = name;
    last_index_[event.thread] = events.size();
    events.emplace_back(name, std::move(told));
  }

  std::string name_of(ThreadId thread) { return actor_name(thread) + ":" + std::to_string(counts_[thread]); }

  plait::runtime::Event described(const plait::Event& event) {
    const char* kind = kind_of(event);
    if (!kind || event.size > 8)
      throw Unknown("an operation (number " + std::to_string(static_cast<int>(event.op)) + " of trace/event.h, " +
                    std::to_string(event.size) + " bytes) that this runtime does not know");
    plait::runtime::Event told(actor_name(event.thread), kind);
    const bool is_memory = event.op == Op::Load || event.op == Op::Store || event.op == Op::Rmw || event.op == Op::Cas;
    told.object(is_memory ? objects_.name(event.location, event.size) : Objects::plain(event.location));
    if (is_memory) first_values.emplace(event.location, static_cast<long>(event.value));
    if (event.op == Op::Store)
      told.value(static_cast<long>(event.operand));
    else if (event.op == Op::TryLock)
      told.set("value", event.value == 0);
    else if (is_memory)
      told.value(static_cast<long>(event.value));
    if (event.op == Op::Rmw || event.op == Op::Cas) told.set("operand", static_cast<long>(event.operand));
    if (event.op == Op::Cas) told.set("expected", static_cast<long>(event.extra));
    return told;
  }

  Objects& objects_;
  std::map<ThreadId, unsigned> counts_;
  std::map<ThreadId, std::string> last_, forked_behind_;
  std::map<ThreadId, std::size_t> last_index_;
  std::map<ThreadId, std::vector<ThreadId>> joined_;
};

class Native {
 public:
  explicit Native(plait::Program program) : program_(std::move(program)) {
    plait::SessionOptions options{};
    options.loop_seconds = 3;
    options.run_megabytes = 1024;
    options.outputs_visible = 0;
    session_ = std::make_shared<plait::SessionMemory>(options);
    runners_.emplace(program_, session_, plait::WorkerOptions{});
    runner_ = runners_->make();
    // Two quiet rounds in a row: nothing more is found to be shared, and every object has been seen.
    for (u32 round = 0, quiet = 0; quiet < 2 && round < kFirstRuns; ++round) {
      const std::size_t before = runners_->visibility().extent();
      for (u64 seed = 0; seed < 10; ++seed)
        run({}, kMostEvents, plait::Tail::Random, round * 10 + seed, [](const RunView&) {});
      quiet = runners_->visibility().extent() == before ? quiet + 1 : 0;
    }
    known_ = runners_->visibility();
    run({}, kMostEvents, plait::Tail::First, 0, [&](const RunView& view) {
      const Told told(view, objects_);
      for (const auto& [location, value] : told.first_values)
        initial += (initial.empty() ? "{\"" : ",\"") + Objects::plain(location) + "\":" + std::to_string(value);
    });
    initial += initial.empty() ? "{}" : "}";
  }

  std::string initial;

  void answer(plait::runtime::Link& link) {
    std::vector<Choice> schedule;
    std::map<ThreadId, unsigned> counts;
    for (const auto& step : link.seed) {
      const Choice choice = choice_of(step.id);
      // A schedule says who is next; that it is the event which the seed means is seen here.
      if (step.id != actor_name(choice.thread) + ":" + std::to_string(counts[choice.thread]++)) break;
      schedule.push_back(choice);
    }
    const u32 most = static_cast<u32>(std::min<long>(link.most_events, kMostEvents));
    const std::size_t followed = schedule.size();
    run(schedule, most, plait::Tail::First, 0, [&](const RunView& view) { tell(link, view, followed); });
  }

 private:
  static Choice choice_of(const std::string& id) {
    const std::size_t colon = id.find(':');
    Choice choice{};
    choice.kind = Choice::Run;
    choice.thread = static_cast<ThreadId>(id[0] == 'm' ? 0 : std::stoul(id.substr(1, colon - 1)));
    choice.position = plait::kNextPoint;
    return choice;
  }

  template <typename Look>
  void run(const std::vector<Choice>& schedule, u32 most, plait::Tail tail, u64 seed, const Look& look) {
    plait::Batch batch;
    plait::Request request{};
    request.tail = tail;
    request.seed = seed;
    request.max_events = most;
    request.flags = plait::request_flag::kAllEvents;
    batch.add(request, schedule);
    const plait::Visibility given = known_ ? *known_ : runners_->visibility();
    runner_->run(batch, given, never_, [&](u32, const RunView& view) {
      if (known_ && view.outgrown)
        throw Unknown("more memory has turned out to be shared than the first runs showed: plait check knows more");
      look(view);
    });
  }

  void tell(plait::runtime::Link& link, const RunView& view, std::size_t followed) {
    const plait::Reply& reply = *view.reply;
    const Told told(view, objects_);
    plait::runtime::End how;
    std::size_t count = told.events.size();
    switch (reply.status) {
      case RunStatus::Complete: break;
      case RunStatus::Limit: how.status = "limit"; break;
      case RunStatus::Diverged:
        how.status = "diverged";
        how.message = reply.failure.message;
        count = std::min(count, link.seed.size() - 1);
        while (count > 0 && told.events[count - 1].first != link.seed[count - 1].id) --count;
        how.at = static_cast<long>(count);
        break;
      case RunStatus::Failed:
        how.status = reply.failure.kind == plait::FailureKind::Deadlock ? "blocked" : "failed";
        if (how.status == "failed") how.message = reply.failure.message;
        if (how.status == "failed" && how.message.empty()) how.message = "it failed";
        how.actor = how.status == "failed" ? actor_name(reply.failure.thread) : "";
        break;
      default: throw Unknown("a run ended in a way that this runtime does not know (assumptions, sleep sets)");
    }
    if (followed < link.seed.size() && how.status != "diverged" && count >= followed) {
      how = plait::runtime::End();
      how.status = "diverged";
      how.at = static_cast<long>(count = followed);
    }
    for (std::size_t i = 0; i < count; ++i) link.event(told.events[i].second, told.events[i].first);
    for (const auto& one : told.pending) link.pending(one.second, one.first);
    how.has_result = how.status == "complete";
    how.result = std::string(view.output);
    link.end(how);
  }

  const plait::Program program_;
  std::shared_ptr<plait::SessionMemory> session_;
  std::optional<plait::NativeRunners> runners_;
  std::unique_ptr<plait::Runner> runner_;
  const std::atomic<bool> never_{false};
  std::optional<plait::Visibility> known_;
  Objects objects_;
};

plait::runtime::Hello hello_of(const std::string& initial) {
  plait::runtime::Hello hello;
  hello.name = "native";
  hello.initial = initial;
  hello.relations = R"({"must":{"or":["same-actor",{"link":["id","behind"]},{"link":["joined_by","id"]}]},)"
                    R"("interferes":{"and":["same-object-write",{"not":{"both":{"kind":"unlock"}}},)"
                    R"({"not":{"first":{"kind":"unlock"},"second":{"kind":"lock"}}},)"
                    R"({"not":{"first":{"kind":"lock"},"second":{"kind":"unlock"}}},)"
                    R"({"not":{"both":{"kind":"post"}}},{"not":{"first":{"kind":"take"},"second":{"kind":"post"}}},)"
                    R"({"not":{"first":{"kind":"post"},"second":{"kind":"take"}}}]},)"
                    R"("enables":{"and":["same-object",{"or":[{"first":{"kind":"unlock"},"second":{"kind":"lock"}},)"
                    R"({"first":{"kind":"post"},"second":{"kind":"take"}}]}]}})";
  hello.operations = R"({"read":{"op":"load"},"write":{"op":"store"},"add":{"op":"add"},"exchange":{"op":"exchange"},)"
                     R"("cas":{"op":"cas"},"lock":{"op":"lock"},"unlock":{"op":"unlock"},"try-lock":{"op":"try-lock"},)"
                     R"("take":{"op":"take"},"post":{"op":"post"}})";
  hello.actors = {"main"};
  return hello;
}

int serve(const std::vector<std::string>& words) {
  plait::Program program;
  program.path = words.at(0);
  program.arguments.assign(words.begin() + 1, words.end());
  std::optional<Native> native;
  std::string problem;
  try {
    native.emplace(program);
  } catch (const std::exception& error) {
    problem = error.what();
  }
  plait::runtime::Link link(hello_of(native ? native->initial : "{}"));
  try {
    if (!problem.empty()) throw Unknown(problem);
    while (link.next()) native->answer(link);
    return 0;
  } catch (const std::exception& error) {
    link.error(error.what());
    return 1;
  }
}

}  // namespace

int main(int count, char** words) {
  if (count < 2) {
    std::fprintf(stderr, "usage: plait explore --runtime native PROGRAM ARGUMENTS...\n");
    return 2;
  }
  try {
    return serve({words + 1, words + count});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "native: %s\n", error.what());
    return 2;
  }
}

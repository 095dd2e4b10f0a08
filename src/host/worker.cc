#include "host/worker.h"

#include <fmt/core.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "base/error.h"
#include "host/patience.h"
#include "trace/outside.h"

namespace plait {
namespace {

// The numbers are the same in every worker, so that environment, stack and opened files are, too.
constexpr int kSessionNumber = 200, kChannelNumber = 201, kClassNumber = 202;

constexpr size_t kTextCapacity = size_t{4} << 20;
constexpr size_t kLeastEvents = size_t{16 << 20} / sizeof(Event);
constexpr size_t kLeastChoices = size_t{1} << 20;
constexpr size_t kFailures = 1024;
constexpr u32 kMostStarts = 10;  // of a process that somebody kills

size_t aligned(size_t n) { return (n + 4095) & ~size_t{4095}; }
// A run may overshoot its limit a little, and 16-byte accesses take two events each.
size_t event_capacity(u32 max_events) { return std::max(kLeastEvents, size_t{max_events} * 2 + 4096); }
size_t choice_capacity(u32 max_events) { return std::max(kLeastChoices, size_t{max_events} * 2 + 4096); }
size_t channel_size(u32 max_events) {
  return aligned(sizeof(Channel)) + aligned(choice_capacity(max_events) * sizeof(Choice)) +
         aligned(event_capacity(max_events) * sizeof(Event)) + kTextCapacity + kFailures * sizeof(Failure);
}

u32 load(u32& word) { return std::atomic_ref<u32>(word).load(std::memory_order_acquire); }
void store(u32& word, u32 value) { std::atomic_ref<u32>(word).store(value, std::memory_order_release); }

void futex_wake(u32& word) { syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0); }
void futex_wait(u32& word, u32 while_value, std::chrono::nanoseconds at_most) {
  timespec limit{static_cast<time_t>(at_most.count() / 1'000'000'000),
                 static_cast<long>(at_most.count() % 1'000'000'000)};
  syscall(SYS_futex, &word, FUTEX_WAIT, while_value, &limit, nullptr, 0);
}

/// Waits are sliced so that a dead process is noticed: short at first (most batches take less than a millisecond),
/// longer and longer after that.
class Slice {
 public:
  std::chrono::nanoseconds next() {
    auto slice = slice_;
    slice_ = std::min<std::chrono::nanoseconds>(slice_ * 2, std::chrono::milliseconds(50));
    return slice;
  }

 private:
  std::chrono::nanoseconds slice_ = std::chrono::microseconds(500);
};

}  // namespace

namespace {

/// Texts of the right length, which the runtime fills.
void add_outside_inputs(Launch& launch, const OutsideInputs& outside) {
  std::string words;
  const auto placeholder = [](unsigned size) { return std::string(size, '?'); };
  for (const unsigned size : outside.arguments) {
    launch.arguments.push_back(placeholder(size));
    words += "a;";
  }
  if (outside.standard_input) words += fmt::format("s{};", outside.standard_input);
  for (const auto& [name, size] : outside.environment) {
    launch.environment.emplace_back(name, placeholder(size));
    words += fmt::format("e{};", name);
  }
  if (!words.empty()) launch.environment.emplace_back(kOutsideVariable, words);
}

}  // namespace

Launch worker_launch(const Program& program, const SessionMemory& session, int channel_descriptor) {
  Launch launch = program_launch(program);
  launch.environment.insert(launch.environment.end(),
                            {{kSessionFdVariable, std::to_string(kSessionNumber)},
                             {kChannelFdVariable, std::to_string(kChannelNumber)},
                             {kClassFdVariable, std::to_string(kClassNumber)},
                             {"LD_BIND_NOW", "1"}});  // lazy binding would be work that only the first run does
  launch.descriptors = {{session.descriptor(), kSessionNumber},
                        {channel_descriptor, kChannelNumber},
                        {session.class_descriptor(), kClassNumber}};
  add_outside_inputs(launch, program.outside);
  return launch;
}

Worker::Worker(const Program& program, SessionMemory& session, const WorkerOptions& options)
    : program_(program),
      session_(session),
      options_(options),
      memory_("plait-channel", channel_size(options.max_events)),
      losses_(options.hang_seconds, options.passthrough) {
  Channel& c = channel();
  c.magic = kSessionMagic;
  c.turn = Channel::kEngine;
  c.choices_capacity = choice_capacity(options.max_events);
  c.events_capacity = event_capacity(options.max_events);
  c.text_capacity = kTextCapacity;
  c.choices_offset = aligned(sizeof(Channel));
  c.events_offset = c.choices_offset + aligned(c.choices_capacity * sizeof(Choice));
  c.text_offset = c.events_offset + aligned(c.events_capacity * sizeof(Event));
  c.failures_offset = c.text_offset + kTextCapacity;
  c.failures_capacity = kFailures;
  c.size = memory_.size();
}

Worker::~Worker() {
  if (!process_.running()) return;
  store(channel().turn, Channel::kQuit);
  futex_wake(channel().turn);
  // A well-behaved worker has a last look at what its runs left behind and is gone; Process ends the others.
  for (int i = 0; i < 20'000 && !process_.poll(); ++i) usleep(100);
}

void Worker::spawn(int errors) {
  Descriptor input = open_input(program_);
  Launch launch = worker_launch(program_, session_, memory_.descriptor());
  launch.input = input.number();
  launch.output = options_.passthrough ? 1 : -1;
  launch.errors = errors;
  launch.own_group = !options_.passthrough;
  store(channel().ready, 0);
  store(channel().turn, Channel::kEngine);
  process_ = Process(launch);
}

void Worker::start() {
  if (process_.running() && !process_.poll()) return;
  for (u32 attempt = 1; !try_start(attempt < kMostStarts); ++attempt) usleep(attempt * 10'000);
}

bool Worker::try_start(bool again) {
  spawn(options_.passthrough ? 2 : -1);
  Patience patience(process_, options_.start_seconds);
  Slice slice;
  while (load(channel().ready) == 0) {
    if (auto end = process_.poll()) {
      if (again && end->from_outside()) return false;
      explain_failed_start(*end);
    }
    if (const auto answer = patience.look(); answer != Patience::Answer::Wait) {
      process_.kill_and_wait();
      if (again && answer == Patience::Answer::Stopped) return false;
      throw Error(kExitUsage,
                  fmt::format("'{}' did not start as a worker within {} seconds: compile it again with this "
                              "version of Plait, or see what its initialisers do",
                              program_.path, options_.start_seconds));
    }
    futex_wait(channel().ready, 0, slice.next());
  }
  return true;
}

void Worker::explain_failed_start(const ProcessEnd& end) {
  // Once more, this time listening: its error output usually names the cause (a missing library, another version).
  std::string said;
  if (!options_.passthrough) {
    Descriptor errors = make_memory_file("plait-errors", 0);
    spawn(errors.number());
    for (int i = 0; i < 500 && !process_.poll(); ++i) usleep(10'000);
    if (process_.running()) process_.kill_and_wait();
    Descriptor reading = reopen_for_reading(errors.number());
    said = read_all(reading.number());
    while (!said.empty() && (said.back() == '\n' || said.back() == ' ')) said.pop_back();
  }
  throw Error(kExitUsage,
              fmt::format("'{}' {} before it was ready{}{}", program_.path, end.text(), said.empty() ? "" : ": ",
                          said.empty() ? ": compile it again with 'plait c++' or 'plait cc'" : said));
}

void Worker::fill(const Batch& batch, u32 first) {
  Channel& c = channel();
  auto* choices = reinterpret_cast<Choice*>(memory_.data() + c.choices_offset);
  u32 used = 0;
  for (sent_ = 0; first + sent_ < batch.size(); ++sent_) {
    const std::span<const Choice> schedule = batch.schedule(first + sent_);
    if (used + schedule.size() > c.choices_capacity) break;
    Request& slot = c.request[sent_];
    slot = batch.request(first + sent_);
    slot.schedule = used;
    slot.max_events = options_.max_events;
    if (options_.go_on) slot.flags |= request_flag::kGoOn;
    std::copy(schedule.begin(), schedule.end(), choices + used);
    used += slot.choices;
  }
  if (sent_ == 0) throw Error(kExitInternal, "a schedule is longer than --max-events allows");
}

void Worker::hand_over() {
  Channel& c = channel();
  c.requests = sent_;
  c.done = 0;
  c.running_events = 0;
  c.running_first_event = 0;
  store(c.turn, Channel::kWorker);
}

void Worker::post(const Batch& batch) {
  fill(batch, 0);
  hand_over();
}

bool Worker::run(const Batch& batch, const Visibility& given, const std::atomic<bool>& cancel, const Consume& consume) {
  cancelled_ = false;
  losses_ = Losses(options_.hang_seconds, options_.passthrough);
  u32 done = 0;
  while (done < batch.size() && !cancelled_) {
    if (const u32 pause = losses_.pause_milliseconds(); pause && !process_.running()) usleep(pause * 1000);
    start();
    fill(batch, done);
    hand_over();
    futex_wake(channel().turn);
    const u32 finished = wait_for_replies(done, cancel);
    const bool outgrown = session_.extent() != given.extent();
    for (u32 i = 0; i < finished; ++i) {
      RunView run = view(i);
      run.outgrown = outgrown || run.reply->sharing_grew;
      consume(done + i, run);
    }
    done += finished;
  }
  return done == batch.size();
}

u32 Worker::wait_for_replies(u32 first, const std::atomic<bool>& cancel) {
  Channel& c = channel();
  Slice slice;
  Patience patience(process_, options_.hang_seconds);
  u32 last_done = 0, last_events = 0;
  while (load(c.turn) == Channel::kWorker) {
    futex_wait(c.turn, Channel::kWorker, slice.next());
    if (load(c.turn) != Channel::kWorker) break;
    const pid_t id = process_.id();
    if (auto end = process_.poll()) {
      if (load(c.turn) != Channel::kWorker) break;  // it had finished the batch
      // It retired: a run ended inside a library, and it would not answer for another. All that it finished counts.
      if (end->signal == 0 && end->exit_code == kRetireStatus && load(c.done) > 0) {
        ++lost_;
        return std::min(load(c.done), sent_);
      }
      return lose(first, Loss::How::Ended, *end, id);
    }
    if (cancel.load(std::memory_order_relaxed)) {
      process_.kill_and_wait();
      session_.mend(id);
      cancelled_ = true;
      return std::min(load(c.done), sent_);
    }
    const u32 done = load(c.done), events = load(c.running_events);
    if (done != last_done || events != last_events) {
      last_done = done, last_events = events;
      patience.renew();
    } else if (const auto answer = patience.look(); answer != Patience::Answer::Wait) {
      process_.kill_and_wait();
      if (load(c.turn) != Channel::kWorker) break;
      const bool hangs = answer == Patience::Answer::Hangs;
      return lose(first, hangs ? Loss::How::Hung : Loss::How::Stopped, {}, id);
    }
  }
  session_.require_no_leaks();
  u32 done = std::min(load(c.done), sent_);
  if (done == 0) throw Error(kExitInternal, "the worker gave its batch back without finishing a run");
  return done;
}

/// The process is gone. How many runs have a reply?
u32 Worker::lose(u32 first, Loss::How how, const ProcessEnd& end, pid_t id) {
  ++lost_;
  session_.mend(id);
  const u32 done = std::min(load(channel().done), sent_);
  if (done == sent_) return done;
  const std::optional<Blame> blame = losses_.add(first + done, {how, end, load(channel().running_events)});
  return blame ? make_reply(*blame) : done;
}

u32 Worker::make_reply(const Blame& blame) {
  Channel& c = channel();
  u32 index = std::min(load(c.done), sent_ - 1);
  Reply& reply = c.reply[index];
  std::memset(&reply, 0, sizeof reply);
  reply.status = RunStatus::Failed;
  reply.first_event = std::min<u64>(load(c.running_first_event), c.events_capacity);
  reply.events = std::min<u64>(load(c.running_events), c.events_capacity - reply.first_event);
  const Event* events = reinterpret_cast<const Event*>(memory_.data() + c.events_offset) + reply.first_event;
  for (u32 i = 0; i < reply.events; ++i) {
    reply.points += (events[i].flags & event_flag::kPoint) != 0;
    reply.switches += i > 0 && events[i].thread != events[i - 1].thread;
  }
  reply.failure.kind = blame.kind;
  reply.failure.thread = reply.events ? events[reply.events - 1].thread : 0;
  reply.failure.site = reply.events ? events[reply.events - 1].site : 0;
  reply.failure.event = reply.events;
  std::snprintf(reply.failure.message, sizeof reply.failure.message, "%s", blame.message.c_str());
  return index + 1;
}

RunView Worker::view(u32 index) const {
  const Channel& c = channel();
  const Reply& reply = c.reply[index];
  u64 first = std::min<u64>(reply.first_event, c.events_capacity);
  u64 events = std::min<u64>(reply.events, c.events_capacity - first);
  u64 text = std::min<u64>(reply.output, c.text_capacity);
  u64 length = std::min<u64>(reply.output_size, c.text_capacity - text);
  u64 account = std::min<u64>(reply.account, c.text_capacity);
  u64 account_length = std::min<u64>(reply.account_size, c.text_capacity - account);
  u64 first_failure = std::min<u64>(reply.first_more_failure, c.failures_capacity);
  u64 failures = std::min<u64>(reply.more_failures, c.failures_capacity - first_failure);
  RunView view{&reply,
               {reinterpret_cast<const Event*>(memory_.data() + c.events_offset) + first, events},
               {reinterpret_cast<const char*>(memory_.data() + c.text_offset) + text, length},
               {reinterpret_cast<const Failure*>(memory_.data() + c.failures_offset) + first_failure, failures}};
  view.account = {reinterpret_cast<const char*>(memory_.data() + c.text_offset) + account, account_length};
  return view;
}

}  // namespace plait

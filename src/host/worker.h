// A worker: one process of the instrumented program and its channel. Takes batches of runs and gives back their traces.
//
//   Worker worker(program, session, options);
//   worker.clear();
//   worker.add(request, schedule);                   // up to kBatch times
//   worker.run(stop, [&](u32 index, const RunView& run) { ... });
//
// A program may destroy its process (a crash inside a library, a hang): then the run under way gets a reply made here,
// from the events that it had written, and the rest of the batch goes to a fresh process. The caller sees no
// difference. Not thread-safe; the thread that uses a worker must live as long as it (see Process).
#pragma once
#include <atomic>
#include <span>
#include <string_view>
#include <vector>

#include "host/process.h"
#include "host/program.h"
#include "host/session_memory.h"

namespace plait {

struct WorkerOptions {
  u32 max_events = 20000;
  bool passthrough = false;  // the program's output goes to ours
  bool go_on = false;        // request_flag::kGoOn for all runs
  u32 start_seconds = 60;    // to become ready
  u32 hang_seconds = 15;     // without any progress: more than the runtime's own limit (SessionOptions::loop_seconds)
};

/// What came back from one run. Points into the channel: valid until the worker's next batch.
struct RunView {
  const Reply* reply;
  std::span<const Event> events;
  std::string_view output;
  /// How the run failed: one entry, or several with request_flag::kGoOn. Empty if it did not.
  std::vector<Failure> failures() const;
  bool shows(FailureKind kind) const;
  std::span<const Failure> more_failures = {};  // request_flag::kGoOn: of other threads, behind the reply's own
};

/// Everything a process needs to be a worker; also used to hand a request to a debugger.
Launch worker_launch(const Program&, const SessionMemory&, int channel_descriptor);

class Worker {
 public:
  Worker(const Program&, SessionMemory&, const WorkerOptions&);
  ~Worker();

  /// Starts the process now rather than with the first batch. Throws Error when the program does not become a worker.
  void start();

  void clear() { count_ = sent_ = used_choices_ = 0; }
  u32 size() const { return count_; }
  /// Adds a run; false when the batch is full. Fills in the request's schedule and max_events.
  bool add(const Request&, std::span<const Choice> schedule);
  /// The same without a copy: room for `most` choices (null when full), then the request with how many were written.
  Choice* room(u32 most);
  void commit(const Request&, u32 choices);

  /// Runs the batch; consume(index, RunView) once per run, in order. When `stop` becomes true the process is ended and
  /// the runs that have not finished are dropped: the result is then false.
  template <class Consume>
  bool run(const std::atomic<bool>& stop, Consume&& consume) {
    for (u32 base = 0; base < count_;) {
      u32 finished = advance(stop);
      for (u32 i = 0; i < finished; ++i) consume(base + i, view(i));
      base += finished;
      if (cancelled_) return base == count_;
      drop(finished);
    }
    return true;
  }

  /// How many processes were lost to crashes and hangs.
  u32 lost() const { return lost_; }
  Channel& channel() const { return *reinterpret_cast<Channel*>(memory_.data()); }
  int channel_descriptor() const { return memory_.descriptor(); }
  /// Hands the batch over without a process: for a debugger that starts the program itself.
  void post();

 private:
  u32 advance(const std::atomic<bool>& stop);
  u32 wait_for_replies(const std::atomic<bool>& stop);
  u32 make_reply(FailureKind kind, const std::string& message);
  RunView view(u32 index) const;
  void drop(u32 finished);
  void spawn(int errors);
  [[noreturn]] void explain_failed_start(const ProcessEnd&);

  const Program& program_;
  SessionMemory& session_;
  WorkerOptions options_;
  SharedMemory memory_;
  Process process_;
  u32 count_ = 0;  // requests of the batch, as the caller added them
  u32 sent_ = 0;   // of these, already answered
  u32 used_choices_ = 0;
  u32 lost_ = 0;
  bool cancelled_ = false;
};

}  // namespace plait

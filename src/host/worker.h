// A worker: one process of the instrumented program and its channel. The native Runner.
//
// A process may be lost: the program destroys it (a crash inside a library, a hang), or somebody kills it. The run
// under way is then made again in a fresh process. If that is lost at the same step, the run gets a reply made here,
// from the events that it had written. The caller sees no difference. Not thread-safe; the thread that uses a worker
// must live as long as it (see Process).
#pragma once
#include "host/losses.h"
#include "host/process.h"
#include "host/program.h"
#include "host/session_memory.h"
#include "run/runner.h"

namespace plait {

struct WorkerOptions {
  u32 max_events = 20000;
  bool passthrough = false;  // the program's output goes to ours
  bool go_on = false;        // request_flag::kGoOn for all runs
  u32 start_seconds = 60;    // to become ready
  u32 hang_seconds = 15;     // without any progress: more than the runtime's own limit (SessionOptions::loop_seconds)
};

/// Everything a process needs to be a worker; also used to hand a request to a debugger.
Launch worker_launch(const Program&, const SessionMemory&, int channel_descriptor);

class Worker : public Runner {
 public:
  Worker(const Program&, SessionMemory&, const WorkerOptions&);
  ~Worker() override;

  /// Starts the process now rather than with the first batch. Throws Error when the program does not become a worker.
  void start();

  bool run(const Batch&, const Visibility& given, const std::atomic<bool>& cancel, const Consume&) override;

  /// How many processes were lost to crashes and hangs.
  u32 lost() const { return lost_; }
  Channel& channel() const { return *reinterpret_cast<Channel*>(memory_.data()); }
  int channel_descriptor() const { return memory_.descriptor(); }
  /// Hands the batch over without a process: for a debugger that starts the program itself.
  void post(const Batch&);

 private:
  void fill(const Batch&, u32 first);
  void hand_over();
  u32 wait_for_replies(u32 first, const std::atomic<bool>& cancel);
  u32 lose(u32 first, Loss::How how, const ProcessEnd& end, pid_t id);
  u32 make_reply(const Blame&);
  /// False: somebody has killed or stopped it, and it shall be tried again.
  bool try_start(bool again);
  RunView view(u32 index) const;
  void spawn(int errors);
  [[noreturn]] void explain_failed_start(const ProcessEnd&);

  const Program& program_;
  SessionMemory& session_;
  WorkerOptions options_;
  SharedMemory memory_;
  Process process_;
  Losses losses_;
  u32 sent_ = 0;  // requests in the channel
  u32 lost_ = 0;
  bool cancelled_ = false;
};

}  // namespace plait

// Watches an exploration from a thread of its own: progress on stderr, the time limit, Ctrl-C.
#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "explore/control.h"

namespace plait {

class Monitor {
 public:
  /// `more`: what else is to be said on the line.
  Monitor(Control&, bool quiet, std::function<std::string()> more = nullptr);
  ~Monitor();
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

 private:
  void watch();
  void print(bool live, double elapsed);

  Control& control_;
  const bool quiet_;
  const std::function<std::string()> more_;
  bool live_ = false;  // stderr is a terminal: one line, rewritten
  bool line_open_ = false;
  bool ended_ = false;
  u64 last_executions_ = 0, last_states_ = 0;
  double last_time_ = 0;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
};

/// From now on SIGINT, SIGTERM, SIGQUIT and SIGHUP ask the running exploration to stop; a second one ends the command
/// at once.
void catch_interrupts();

}  // namespace plait

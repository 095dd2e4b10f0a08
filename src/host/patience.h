// How long a process may do nothing. Only time that it could have used counts: not while it is stopped, while others
// have the processors, or while this process itself was stopped and nobody looked.
#pragma once
#include <chrono>

#include "host/process.h"

namespace plait {

class Patience {
 public:
  Patience(const Process& process, double seconds);
  /// It has done something: the time begins anew.
  void renew();
  enum class Answer { Wait, Hangs, Stopped };
  /// To be asked several times a second; asked more often it answers without a look. Stopped: by a signal, for long.
  Answer look();

 private:
  const Process& process_;
  const double limit_;
  std::chrono::steady_clock::time_point last_look_;
  std::chrono::nanoseconds last_cpu_{};
  double idle_ = 0, stopped_ = 0;
};

}  // namespace plait

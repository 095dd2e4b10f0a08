// Child processes with exactly the surroundings that a deterministic program needs: fixed addresses, fixed descriptor
// numbers, nothing left over from the parent, and no life beyond the parent's.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/memory.h"

namespace plait {

struct Launch {
  std::string path;
  int image = -1;                                                // executed instead of the path, which is still argv[0]
  std::vector<std::string> arguments;                            // without argv[0]
  std::vector<std::pair<std::string, std::string>> environment;  // set on top of the parent's
  bool only = false;                                             // nothing of the parent's
  std::vector<std::pair<int, int>> descriptors;                  // {ours, number in the child}
  int input = -1, output = -1, errors = -1;                      // -1: /dev/null
  bool own_group = true;  // a Ctrl-C at the terminal is for the engine, which ends its workers itself
};

/// How a process ended.
struct ProcessEnd {
  int exit_code = 0;
  int signal = 0;  // 0: it exited
  std::string text() const;
  /// By a signal that programs do not send to themselves: the kernel without memory, a user, a batch system.
  bool from_outside() const;
};

class Process {
 public:
  Process() = default;
  /// Throws Error when no process can be made. A program that cannot be executed ends with code 127.
  /// The child dies with the *thread* that started it: a thread must outlive its workers.
  explicit Process(const Launch&);
  Process(Process&& other) noexcept { *this = std::move(other); }
  Process& operator=(Process&&) noexcept;
  ~Process();
  bool running() const { return id_ > 0; }
  pid_t id() const { return id_; }
  /// The end, if it has ended by now.
  std::optional<ProcessEnd> poll();
  /// CPU time that it has used so far.
  std::chrono::nanoseconds cpu_time() const;
  /// Does it wait for something, with all of its threads? Else it uses the processor, or would if it had its turn.
  bool is_waiting() const;
  /// Has a signal stopped it?
  bool is_stopped() const;
  ProcessEnd wait();
  ProcessEnd kill_and_wait();

 private:
  pid_t id_ = 0;
};

}  // namespace plait

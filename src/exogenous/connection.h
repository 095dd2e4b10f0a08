// A process that speaks messages of JSON: started with two pipes, framed as lines or as CBOR. Knows nothing of what the
// messages mean.
#pragma once
#include <atomic>
#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "host/process.h"
#include "trace/types.h"

namespace plait::exogenous {

enum class Framing : u8 { Lines, Cbor };

/// The process is gone, or has been silent for too long. It may be tried once more.
class Lost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The user or the clock wants the end.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("cancelled") {}
};

class Connection {
 public:
  /// Throws Error when there is no such program.
  Connection(const std::vector<std::string>& command, double timeout_seconds, const std::atomic<bool>& cancel);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// From the next message on, in both directions.
  void use(Framing framing) { framing_ = framing; }
  Framing framing() const { return framing_; }
  /// Queued, and sent when somebody waits for an answer or much has come together. The second one is for a message that
  /// is a text already.
  void send(const nlohmann::json& message);
  void send_text(std::string_view message);
  void flush();
  /// The next message. Throws Lost, Cancelled, or std::invalid_argument when it is no message.
  nlohmann::json receive();
  /// From here on something of use is waited for. Bytes and messages that bring nothing are silence, too.
  void listen() { heard_ = std::chrono::steady_clock::now(); }
  /// Throws Lost when the silence has lasted for too long.
  void check_silence();
  /// Has one arrived already?
  bool has_message();
  u64 messages() const { return messages_; }  // received so far

 private:
  bool cut_frame(std::string_view& frame);
  void wait_for_input();
  bool read_some();
  void write_some();
  [[noreturn]] void lose();

  const std::atomic<bool>& cancel_;
  const double timeout_;
  Descriptor to_, from_;
  Process process_;
  Framing framing_ = Framing::Lines;
  std::string out_, in_;
  size_t sent_ = 0, used_ = 0, searched_ = 0;
  bool closed_ = false;
  u64 messages_ = 0;
  std::chrono::steady_clock::time_point heard_;
};

}  // namespace plait::exogenous

// A runtime of others, as seen by the engine: seeds in, executions out, several under way at once. Starts the process
// again when it has died, and tells what is wrong with what it says.
#pragma once
#include <deque>
#include <memory>

#include "exogenous/messages.h"

namespace plait::exogenous {

struct RuntimeOptions {
  std::vector<std::string> command;
  double timeout = 10;  // seconds of silence
  u32 max_events = 20000;
};

/// Belongs to the thread that made it: its process ends with that thread.
class Runtime {
 public:
  /// Starts it and waits for its hello. Throws Error.
  Runtime(const RuntimeOptions& options, Catalogue& catalogue, const std::atomic<bool>& cancel);
  const Hello& hello() const { return hello_; }
  /// Asks for a run that begins with these events.
  void ask(std::vector<Symbol> seed) { ask(std::move(seed), options_.max_events); }
  /// And ends after so many.
  void ask(std::vector<Symbol> seed, u32 most_events);
  u32 under_way() const { return static_cast<u32>(asked_.size()); }
  /// The answer to the oldest question. Throws Error, Cancelled.
  Execution next();
  /// One run and its answer; nothing else may be under way.
  Execution run(std::vector<Symbol> seed) {
    ask(std::move(seed));
    return next();
  }
  u64 restarts() const { return restarts_; }

 private:
  void start();
  struct Asked {
    std::vector<Symbol> seed;
    u32 most_events;
  };
  void send(const Asked& asked);
  Execution receive();
  void check_follows(const Execution& run) const;
  std::string seed_text(const std::vector<Symbol>& seed) const;
  [[noreturn]] void give_up(const std::string& what) const;

  const RuntimeOptions options_;
  Catalogue& catalogue_;
  const std::atomic<bool>& cancel_;
  Hello hello_;
  std::unique_ptr<Connection> connection_;
  std::unique_ptr<Reader> reader_;
  std::deque<Asked> asked_;
  u64 sent_runs_ = 0, answered_ = 0;  // of this process
  bool second_try_ = false;           // of the oldest run
  u64 restarts_ = 0;
  std::string text_;  // of the message that is made
};

}  // namespace plait::exogenous

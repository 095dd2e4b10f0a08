#include "engine/monitor.h"

#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "base/error.h"

namespace plait {
namespace {

constexpr auto kTick = std::chrono::milliseconds(50);
constexpr double kLiveInterval = 0.2, kPlainInterval = 5.0, kFirstPlain = 3.0;

volatile std::sig_atomic_t interrupted = 0;

void on_interrupt(int) {
  if (interrupted) _exit(kExitInterrupted);
  interrupted = 1;
}

}  // namespace

void catch_interrupts() {
  struct sigaction action{};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESTART;
  for (const int number : {SIGINT, SIGTERM, SIGQUIT}) sigaction(number, &action, nullptr);
  struct sigaction before{};
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) return;  // nohup
  sigaction(SIGHUP, &action, nullptr);
}

Monitor::Monitor(Control& control, bool quiet, std::function<std::string()> more)
    : control_(control), quiet_(quiet), more_(std::move(more)), live_(isatty(2)), thread_([this] { watch(); }) {}

Monitor::~Monitor() {
  {
    std::lock_guard lock(mutex_);
    ended_ = true;
  }
  wake_.notify_all();
  thread_.join();
  if (line_open_) std::fputs("\r\033[K", stderr);
}

void Monitor::watch() {
  std::unique_lock lock(mutex_);
  double next_print = live_ ? kLiveInterval : kFirstPlain;
  while (!ended_) {
    wake_.wait_for(lock, kTick);
    if (interrupted) control_.stop(StopReason::Interrupted);
    double elapsed = control_.seconds();
    if (!quiet_ && !ended_ && elapsed >= next_print) {
      print(live_, elapsed);
      next_print = elapsed + (live_ ? kLiveInterval : kPlainInterval);
    }
  }
}

void Monitor::print(bool live, double elapsed) {
  u64 executions = control_.counters.executions.load();
  const u64 states = control_.counters.states.load();
  auto per_second = [&](u64 now, u64 before) {
    return elapsed > last_time_ && now > before ? static_cast<double>(now - before) / (elapsed - last_time_) : 0;
  };
  const double runs = per_second(executions, last_executions_), searched = per_second(states, last_states_);
  last_executions_ = executions;
  last_states_ = states;
  last_time_ = elapsed;
  // What it does just now: a long search makes no runs, and is not stuck.
  const std::string doing = runs > 0       ? fmt::format("running: {:.0f} runs per second", runs)
                            : searched > 0 ? fmt::format("searching: {:.0f} states per second", searched)
                                           : "searching";
  std::string line = fmt::format("plait: {:.0f} s, {}, {} executions", elapsed, doing, executions);
  if (states)
    line += fmt::format(", {} histories, {} to be reached, {} states", control_.counters.histories.load(),
                        control_.counters.frontier.load(), states);
  if (u64 limited = control_.counters.limited.load()) line += fmt::format(", {} reached the event limit", limited);
  if (more_) line += ", " + more_();
  if (live) {
    std::fprintf(stderr, "\r\033[K%s", line.c_str());
    line_open_ = true;
  } else {
    std::fprintf(stderr, "%s\n", line.c_str());
  }
  std::fflush(stderr);
}

}  // namespace plait

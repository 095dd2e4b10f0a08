// Runs per second of 20 events, without exploration: through the protocol of docs/runtimes.md with a runtime in C++ and
// one in Python, and through the shared memory of the native runner.
//
// Usage: protocol_bench [SECONDS]
#include <fmt/core.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "exogenous/runtime.h"
#include "host/native_runner.h"
#include "host/program.h"

namespace {

using plait::u32;
using plait::u64;
using Clock = std::chrono::steady_clock;

constexpr u32 kEvents = 20;

/// `some` makes a few runs and says how many.
template <typename Some>
double runs_per_second(double seconds, const Some& some) {
  some();
  const auto begin = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  u64 runs = 0;
  while (elapsed() < seconds) runs += some();
  return static_cast<double>(runs) / elapsed();
}

/// Each run begins with the last actor's events.
void measure_protocol(const char* what, const std::vector<std::string>& command, double seconds) {
  for (const u32 under_way : {1u, 8u, 64u}) {
    plait::exogenous::Catalogue catalogue;
    const std::atomic<bool> never{false};
    plait::exogenous::Runtime runtime({command, 10, 20000}, catalogue, never);
    std::vector<plait::exogenous::Symbol> seed;
    const plait::exogenous::Execution first = runtime.run({});
    const u32 last = catalogue[first.events.back()].actor;
    for (const u32 event : first.events)
      if (catalogue[event].actor == last) seed.push_back(catalogue[event].id);
    const double speed = runs_per_second(seconds, [&] {
      while (runtime.under_way() < under_way) runtime.ask(seed);
      if (runtime.next().events.size() != kEvents) std::abort();
      return 1;
    });
    while (runtime.under_way()) runtime.next();
    fmt::print("{:24} {:2} under way: {:8.0f} runs/s\n", what, under_way, speed);
  }
}

void measure_native(double seconds) {
  plait::Program program;
  program.path = (std::filesystem::temp_directory_path() / fmt::format("plait-twenty-events-{}", getpid())).string();
  const std::string compile =
      fmt::format("'{}' cc -O1 -pthread '{}' -o '{}'", PLAIT_COMMAND, TWENTY_EVENTS, program.path);
  if (std::system(compile.c_str()) != 0) std::abort();
  plait::SessionOptions options{};
  options.run_megabytes = 1024;
  options.loop_seconds = 3;
  const auto session = std::make_shared<plait::SessionMemory>(options);
  plait::NativeRunners runners(program, session, {});
  const std::unique_ptr<plait::Runner> runner = runners.make();
  const std::atomic<bool> never{false};
  u32 size = 1;
  const double speed = runs_per_second(seconds, [&] {
    plait::Batch batch;
    for (u32 n = 0; n < size; ++n) {
      plait::Request request{};
      request.tail = plait::Tail::First;
      request.max_events = 20000;
      batch.add(request, {});
    }
    runner->run(batch, runners.visibility(), never, [](u32, const plait::RunView& view) {
      if (view.reply->status == plait::RunStatus::Diverged) std::abort();
    });
    return std::exchange(size, 64);
  });
  std::filesystem::remove(program.path);
  fmt::print("{:24} {:2} under way: {:8.0f} runs/s\n", "native, shared memory", 64, speed);
}

}  // namespace

int main(int count, char** words) {
  const double seconds = count > 1 ? std::atof(words[1]) : 2;
  measure_protocol("C++, protocol", {PROTOCOL_RUNTIME}, seconds);
  measure_protocol("Python, protocol", {"python3", PYTHON_RUNTIME, "--runtime"}, seconds);
  measure_native(seconds);
}

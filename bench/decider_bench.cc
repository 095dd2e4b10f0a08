// What a search costs: states per second and bytes per state of the decider, on knowledge that is made up, so that
// nothing but the search is measured. Google Benchmark: --benchmark_filter=..., --help.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include "explore/decider.h"
#include "knowledge/many_threads.h"

namespace plait::bench {
namespace {

using namespace testing_traces;

std::size_t bytes_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

void search(benchmark::State& state, Behaviour knowledge, const Decider::Options& options) {
  const std::atomic<bool> go_on{false};
  double states = 0, bytes = 0;
  for (auto _ : state) {
    const std::size_t before = bytes_in_use();
    Decider decider(knowledge, options);
    if (!decider.search(go_on) || !decider.leads().empty()) {
      state.SkipWithError("the search did not end, or the knowledge is not complete");
      return;
    }
    states = static_cast<double>(decider.states());
    bytes = static_cast<double>(bytes_in_use() - before);
  }
  state.counters["states"] = states;
  state.counters["states/s"] = benchmark::Counter(states, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["bytes/state"] = bytes / states;
  state.counters["MB"] = bytes / 1e6;
}

void Writers(benchmark::State& state) {
  search(state, writers(static_cast<unsigned>(state.range(0)), static_cast<unsigned>(state.range(1))), {});
}
BENCHMARK(Writers)
    ->ArgNames({"threads", "stores"})
    ->Args({2, 50})
    ->Args({4, 8})
    ->Args({7, 5})
    ->Unit(benchmark::kMillisecond);

void StoreBufferingRing(benchmark::State& state) {
  search(state, store_buffering_ring(static_cast<unsigned>(state.range(0))), {});
}
BENCHMARK(StoreBufferingRing)->ArgName("threads")->Arg(4)->Arg(8)->Arg(12)->Unit(benchmark::kMillisecond);

void StoreBufferingRingUnreduced(benchmark::State& state) {
  search(state, store_buffering_ring(static_cast<unsigned>(state.range(0))), {.reduce = false, .merge = false});
}
BENCHMARK(StoreBufferingRingUnreduced)->ArgName("threads")->Arg(4)->Arg(8)->Unit(benchmark::kMillisecond);

void Strangers(benchmark::State& state) { search(state, strangers(static_cast<unsigned>(state.range(0)), 10), {}); }
BENCHMARK(Strangers)->ArgName("threads")->Arg(4)->Arg(16)->Arg(32)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace plait::bench

BENCHMARK_MAIN();

// A runtime of two actors with ten events each, which describes its events once (plait::runtime::Link): what
// bench/protocol_bench.cc asks.
#include <plait_runtime.h>

int main() {
  plait::runtime::Hello hello;
  hello.name = "protocol benchmark";
  plait::runtime::Link link(hello);
  constexpr long kEvents = 10;
  long numbers[2][kEvents];
  bool described = false;
  while (link.next()) {
    long next[2] = {0, 0};
    const auto perform = [&](int actor) {
      const long k = next[actor]++;
      if (described) return link.event(numbers[actor][k]);
      const std::string name = actor == 0 ? "a" : "b";
      numbers[actor][k] = link.described();
      link.event(plait::runtime::Event(name, "step").set("object", "x"), name + ":" + std::to_string(k));
    };
    for (const auto& step : link.seed) perform(step.id[0] == 'a' ? 0 : 1);
    for (int actor = 0; actor < 2; ++actor)
      while (next[actor] < kEvents) perform(actor);
    described = true;
    link.end({});
  }
}

#include "explore/searches.h"

#include <algorithm>
#include <thread>

namespace plait {

bool search_all(Exploration& exploration, const std::vector<std::unique_ptr<Decider>>& deciders, u64 budget) {
  Control& control = exploration.control;
  // Where inputs are symbols, all share what is known of them.
  const size_t most = exploration.inputs ? 1 : std::min<size_t>(exploration.options.jobs, deciders.size());
  std::atomic<size_t> next{0};
  std::atomic<bool> ok{true};
  auto work = [&] {
    for (size_t i; (i = next.fetch_add(1)) < deciders.size();) {
      const u64 before = deciders[i]->states();
      if (!deciders[i]->search(control.cancel_flag(), budget)) ok = false;
      control.counters.states.fetch_add(deciders[i]->states() - before);
    }
  };
  {
    std::vector<std::jthread> others;
    for (size_t i = 1; i < most; ++i) others.emplace_back(work);
    work();
  }
  for (const auto& decider : deciders)
    if (decider->out_of_memory()) exploration.sink.not_complete("memory: the search has more states than fit");
  return ok;
}

void forget_labels(Runners& runners) {
  const LabelTables* labels = runners.labels();
  if (labels && labels->node_count > kLabelNodes / 16) runners.forget_labels();
}

std::string label_problem(const LabelTables& labels) {
  if (labels.overflow) return "a run calculates too much with what it reads";
  return labels.collision ? "two expressions have one hash" : "";
}

void nearest_first(std::vector<Question>& leads) {
  std::vector<std::pair<u32, size_t>> order(leads.size());
  for (size_t i = 0; i < leads.size(); ++i) order[i] = {leads[i].decider->depth(leads[i].lead.state), i};
  std::sort(order.begin(), order.end());
  std::vector<Question> sorted;
  for (const auto& [depth, i] : order) sorted.push_back(leads[i]);
  leads = std::move(sorted);
}

}  // namespace plait

#include "explore/searches.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "knowledge/marks.h"

namespace plait {
namespace {

std::string name_of(ThreadId thread) { return thread == 0 ? "main" : fmt::format("T{}", thread); }

}  // namespace

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

SearchResults::SearchResults(const std::vector<std::unique_ptr<Decider>>& deciders) {
  for (const auto& decider : deciders) {
    finished &= decider->finished();
    states += decider->states();
    if (decider->cut() != kNoNode) cuts.push_back(decider->cut());
    if (!decider->obstacle().empty()) obstacle = decider->obstacle();
    for (const Lead& lead : decider->leads()) leads.push_back({decider.get(), lead});
  }
}

std::vector<Asked> asked_of_others(const Question& question, const Path& path) {
  constexpr u32 kSmall = 1 << 11;  // small searches soon find it themselves
  std::vector<Asked> all;
  Decider& decider = *question.decider;
  if (question.lead.kind != StepKind::Unknown || path.steps.empty() || decider.states() < kSmall) return all;
  const ThreadId thread = path.steps.back().thread;
  for (ThreadSet others = decider.others_like(thread); others; others &= others - 1) {
    StepResult last;
    const Path twin = decider.path_of_other(path, thread, lowest(others), last);
    if (last.kind == StepKind::Unknown && last.missing_value != kNoWide)
      all.push_back({question.lead, {last.missing, last.missing_value}, schedule_of(twin)});
  }
  return all;
}

std::string what_goes_round(const Behaviour& knowledge, NodeId at) {
  return fmt::format(
      "waiting loop: {} goes round in a loop that changes nothing; turns beyond 64 that read the same were left out",
      name_of(knowledge.node(at).thread));
}

std::string what_did_not_come(const Behaviour& knowledge, const Asked& asked) {
  const Node& node = knowledge.node(asked.target.first);
  return fmt::format(
      "at {}, {} should have found {} in {}, as earlier runs say, but did not: something changes it unseen",
      place_mark(node.site), name_of(node.thread), asked.target.second, memory_mark(node.location));
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

// Several searches at once, what they ask for, and who makes the runs.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "explore/decider.h"
#include "explore/explorer.h"
#include "explore/tally.h"

namespace plait {

/// Lets all of them search, on several cores. False if the exploration is to stop.
bool search_all(Exploration&, const std::vector<std::unique_ptr<Decider>>& deciders, u64 budget);

/// Labels of runs that are over; there is little room for them. Only while nobody runs.
void forget_labels(Runners& runners);
/// Why the labels of traces cannot be read; empty: they can.
std::string label_problem(const LabelTables& labels);

/// States from which on it pays to spend more time on each (explore/reductions.h).
constexpr u64 kLargeSearch = 1 << 16;
/// Have searches met so many?
inline bool is_large(const Control& control) { return control.counters.states.load() >= kLargeSearch; }

struct Question {
  Decider* decider;
  Lead lead;
};
/// What several searches have found so far.
struct SearchResults {
  explicit SearchResults(const std::vector<std::unique_ptr<Decider>>& deciders);
  bool finished = true;
  u64 states = 0;
  std::vector<Question> leads;
  std::vector<NodeId> cuts;
  std::string obstacle;
};
/// The short ones first: their runs go on through what the longer ones want to see.
void nearest_first(std::vector<Question>& leads);

/// An edge that a run is to show, or a node whose operation it is to show (value 0).
using Target = std::pair<NodeId, u64>;

/// A lead that a run is sent for, and the edge that it must show.
struct Asked {
  Lead lead;
  Target target;
  Schedule schedule = {};
};

// Messages: a loop that was left; a result that was foretold.
std::string what_goes_round(const Behaviour& knowledge, NodeId at);
std::string what_did_not_come(const Behaviour& knowledge, const Asked& asked);

/// What one of several like threads is to show at the end of that path, the others can show, too.
std::vector<Asked> asked_of_others(const Question& question, const Path& path);

/// What one member of the crew runs.
struct Load {
  explicit Load(Counters& counters) : tally(counters) {}
  Batch batch;
  std::vector<Asked> asked;
  Tally tally;
  bool all = true;
};

}  // namespace plait

// The story of a run as rows, before it is laid out: the text form (story.h) and JSON ("story" in bug files) tell the
// same.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "report/bug.h"

namespace plait {

struct StoryRow {
  enum Kind {
    Step,       // an event
    Note,       // why the thread that ran does not go on: "is interrupted", "waits for mutex m, held by T2"
    Fold,       // events that are not told
    Reordered,  // what the memory model did, across all columns: see reordering.h
    Race,       // the two accesses of a data race, side by side: the last row
  };
  Kind kind = Step;
  size_t event = 0;  // of a Step; of Reordered: where it shows; of others: the event that follows
  ThreadId thread = 0;
  std::string text;
};

/// At most `most` steps, the last relevant ones. With `fold_calls` the accesses of one call of a library's function are
/// one step: "push_back on stats.log (9 steps)".
std::vector<StoryRow> story_rows(const Bug&, size_t most, bool fold_calls = true);

/// The accesses of one call of a library's function, from the first event to the last one.
struct FoldedCall {
  size_t last;
  std::string text;
};
/// By their first events.
std::map<size_t, FoldedCall> folded_calls(const Bug&);

}  // namespace plait

// What no run has shown, asked of constraints over all known paths (explorer `paths`): the explicit search visits every
// order of what matters, which can be too many. One query for each decision that could go another way.
#pragma once
#include "explore/path_events.h"
#include "explore/searches.h"

namespace plait {

struct PathLead {
  Target target;
  ThreadId thread;
  Path path;
};

class PathFrontier {
 public:
  enum class Answer : u8 {
    Leads,
    Nothing,    // nothing unknown can be reached, and nobody can be stuck
    CannotSay,  // the constraints do not know such operations, are too large, or the solver has given up
  };
  /// Adds leads. `seconds`: how long it may take.
  Answer ask(const Behaviour& knowledge, const solve::InputTerms& inputs, Control& control, double seconds,
             std::vector<PathLead>& leads);
  /// More time would not help.
  bool has_given_up() const { return has_given_up_; }

 private:
  struct Unknown {
    NodeId node;
    std::vector<u64> known;  // results
    NodeId root = kNoNode;   // of a thread that nobody has seen begin
  };
  static std::vector<Unknown> unknowns(const Behaviour& knowledge, const PathEvents& events);

  bool has_given_up_ = false;
};

}  // namespace plait

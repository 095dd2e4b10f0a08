// What stands below the table of a story: why it failed, in sentences. Who races with whom and why nothing orders them,
// where memory was allocated and freed, who waits for whom, which signal came too early, which loop goes round.
#pragma once
#include <string>
#include <vector>

#include "report/bug.h"

namespace plait {

struct Explanation {
  int depth = 0;  // how far it is indented
  std::string text;
};

std::vector<Explanation> explanation(const Bug&);

/// "push(int) at stack.cc:12 <- main at stack.cc:30": without the frames of libraries; empty if there are none.
std::string stack_text(const std::vector<Place>& frames);

/// What names in these texts stand for, if they do not say so themselves and the explanation has not said it already:
/// "Node#1: the Node of push(int) at stack.cc:12, allocated by T1".
std::vector<std::string> legend(const Bug&, const std::vector<std::string>& texts,
                                const std::vector<Explanation>& explanation);

}  // namespace plait

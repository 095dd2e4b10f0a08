// The story of a failure, for people: what went wrong and where, the last relevant events in a column per thread with
// source lines and values, who is blocked on what, and how to see it again.
#pragma once
#include <string>

#include "report/bug.h"
#include "report/style.h"

namespace plait {

struct StoryOptions {
  Style style{false};
  size_t width = 110;
  size_t events = 24;
  size_t lines = 0;  // that it should fit into; 0: any number
};

std::string story(const Bug&, const StoryOptions&);
/// Headline and explanation, without the table.
std::string brief_story(const Bug&, const StoryOptions&);
/// The headline alone: "assertion failed at bank.cc:23: balance == 200".
std::string headline(const Bug&, const Style&);
/// Location, message and place in one line, without colour, as in JSON's "message".
std::string failure_message(const BugFailure&);

}  // namespace plait

// A data race in words: which two accesses, to what, what each thread held, and why nothing orders them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "report/bug.h"

namespace plait {

struct RaceAccess {
  size_t event;  // of Bug::events
  ThreadId thread;
  bool performed;  // else the thread is about to perform it
  bool write;
  std::string text;  // "reads conn.open", "wrote conn.open = 1"
};

/// `first` has happened, or is about to, when `second` is about to.
struct Race {
  RaceAccess first, second;
  std::string variable;  // "conn.open"
};

/// The race that the bug is; none if it is another one, or if its file does not tell.
std::optional<Race> race_of(const Bug&);

/// "data race: main reads conn.open while T1 writes it"
std::string race_message(const Bug&, const Race&);

/// The object that the event is about; null: not known.
const NamedObject* object_of(const Bug&, const BugEvent&);

/// Why nothing orders the two, a sentence each.
std::vector<std::string> race_reasons(const Bug&, const Race&);

/// ", holding conn.mutex (since conn.cc:16)" or ", holding no lock".
std::string holding_text(const Bug&, const RaceAccess&);

/// How the thread got there: "started at a.cc:3, last synchronised at a.cc:7 (lock m)".
std::string way_text(const Bug&, const RaceAccess&);

}  // namespace plait

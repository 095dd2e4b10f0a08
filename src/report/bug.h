// A recorded run with everything that a reader needs, names resolved: what a bug file holds, what stories are told from
// and what replay starts from. Plain values; the program is not needed to show one.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "check/replay.h"
#include "machine/memory_model.h"
#include "report/names.h"
#include "report/object_names.h"
#include "report/program_map.h"
#include "run/program.h"
#include "run/visibility.h"

namespace plait {

struct BugEvent {
  Event raw;
  Place place;
  std::string where;      // readable name of the location
  std::string source;     // the source line, if it could be read
  bool internal = false;  // inside what starts a std::thread: how its function and arguments are handed over
  // Of other runtimes (docs/runtimes.md), whose events have no operation:
  std::string told = "";        // what it did, in words
  std::string id = "";          // its name in seeds
  ValueNames names = {};        // of its values
  std::vector<u32> stack = {};  // who called whom, innermost first: indices into Bug::frames
};

/// A lock that only one thread uses is taken or given back: no event says so.
struct BugHold {
  size_t event = 0;  // the first one after it
  ThreadId thread = 0;
  u64 location = 0;
  bool takes = false, shared = false;
  std::string where;
  Place place;
};

struct BugFailure {
  FailureKind kind = FailureKind::None;
  std::string message;
  ThreadId thread = 0;
  std::vector<Place> frames;  // innermost first; the whole stack if it is known
  Place place;                // the innermost one in the user's code
  Place other;                // where the block was freed, the lock taken ...
  std::string source;
  u64 address = 0;
  std::string where;
};

/// How to run the program again.
struct BugProgram {
  std::string directory;  // where the check ran: what the other names are relative to
  Program program;
  std::vector<std::string> sources;  // if it was compiled by `plait check SOURCE...`
  std::vector<std::string> cflags;
  std::string identity;  // of the program file (program_identity): has it been compiled again since?
  std::string closure;   // of plait::check inside the program (runtime/nested_check.cc); empty: main as a whole
};

struct BugOptions {
  bool spurious_wakeups = false;
  bool outputs_visible = false;
  u32 loop_seconds = 3;
  u32 max_events = 20000;
  bool gtest = false;  // a failed EXPECT or ASSERT of GoogleTest ends the run
  MemoryModel memory_model = MemoryModel::Sc;
  u32 run_megabytes = 1024;  // what the run could allocate
  const machine::MemoryRules& memory() const { return machine::rules_of(memory_model); }
};

/// How to make the run again with a runtime of others.
struct BugRuntime {
  std::vector<std::string> command;
  std::vector<std::string> actors;  // names, by thread number
  double timeout = 10;              // seconds of silence
  bool own = false;                 // it comes with Plait, and can be started without asking
};

struct Bug {
  BugProgram program;
  BugOptions options;
  Visibility visibility;
  Schedule schedule;
  std::vector<BugEvent> events;
  std::optional<BugFailure> failure;  // none: the recorded run of an outcome
  std::string output;
  int exit_code = 0;
  std::optional<BugRuntime> runtime = std::nullopt;  // none: our own
  std::vector<NamedObject> objects = {};             // what the names in the events stand for
  std::vector<BugHold> holds = {};
  std::vector<Place> frames = {};  // of all stacks, each once
};

/// "main", "T1"; with another runtime the actor's name.
std::string thread_name(const Bug&, ThreadId);

Bug make_bug(const BugProgram&, const BugOptions&, const Visibility&, const ProgramMap&, const RecordedRun&);

/// The stack as places.
std::vector<Place> places(const Bug&, const std::vector<u32>& stack);

/// Fills in the source lines of events and failure that have none.
void read_sources(Bug&);

/// What the runtime says of a failure, with people's names for threads.
std::string failure_text(const Failure&);

/// "main", "main.1", "main.1.2": parents and fork indices (from 1), the identity of a thread in all runs.
std::string thread_path(const std::vector<Identity>& identities, ThreadId thread);

/// What the threads stood in front of when the run ended early: the pending events at the end of its trace.
std::span<const BugEvent> pending_events(const Bug&);

}  // namespace plait

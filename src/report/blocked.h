// Who waits for what, held by whom, and where: the part of a story that explains a deadlock.
#pragma once
#include <string>
#include <vector>

#include "report/bug.h"

namespace plait {

struct BlockedThread {
  ThreadId thread;
  std::string waits;  // "waits for mutex m"
  Place place;        // where it waits
  ThreadId holder = kNoThread;
  Place taken;                  // where the holder took it, if that is in the trace
  bool core = false;            // part of the deadlock itself; others wait for its members
  std::string name = "";        // of the actor, with a runtime of others
  std::string object = "";      // what it waits for
  size_t event = 0;             // the pending one, of Bug::events
  ThreadId awaits = kNoThread;  // the holder, or who is joined
};

/// Of a deadlock: its blocked threads. Empty for other failures.
std::vector<BlockedThread> blocked_threads(const Bug&);
/// "T1 waits for mutex b at f.c:17, held by T2 since f.c:25"
std::string blocked_text(const BlockedThread&);

}  // namespace plait

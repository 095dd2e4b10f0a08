// Everything that a program of a family can do, state by state: the oracle for programs that can fail, be cut off, end
// early or wait in loops for ever.
//
// The rules are those of enumerator.h, but nothing is counted and nothing is private: every operation that others could
// notice is a step, states that were met before are not entered again. So it says what is possible (outcomes, failures,
// races), and is right without knowing anything about sharing. In addition:
//  - A failure ends the execution, an assumption that does not hold ends it silently: neither has an outcome.
//  - The program ends when main returns or a thread calls exit, whatever the others are doing, or when all threads have
//    ended. Its handlers run before that, one step each. Printing is a step of its own.
//  - Memory that was freed before the first fork is nobody's: who uses it fails, and there are no races on it.
//  - A livelock: the program can step for ever and cannot end any more, from some state on; unless threads
//    wait for each other in a cycle: then that is the failure.
#pragma once
#include <cstdint>
#include <set>
#include <string>

#include "memory.h"
#include "program.h"

namespace sweep {

struct Reachable {
  std::set<std::string> outcomes;  // what the complete executions print
  std::set<std::string> bugs;      // kind@site of interp.c; deadlocks and livelocks without a site
  std::set<std::string> races;     // the letters of the two accesses, in order
  bool races_known = true;         // else only those that some state has both pending
  std::uint64_t states = 0;
  std::uint64_t paths = 0;  // from start to end: many more than interleavings of shared operations; with cycles 0
  bool exceeded = false;    // more states than allowed: the rest is partial
  bool misuse = false;      // some execution does what has no meaning
};

Reachable reach(const Program& program, std::uint64_t limit, MemoryModel model);

}  // namespace sweep

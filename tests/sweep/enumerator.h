// Counts the interleavings of a sweep program from first principles, state by state.
//
// This is the oracle of the sweep, so it is written from the rules alone and shares nothing with src/:
//  - A step of a thread is one access to a variable, one operation on a mutex, condition or semaphore. A plain add is
//  two
//    steps (load, store). Waiting on a condition is two: release the mutex and wait; once woken and the mutex is free,
//    take it.
//  - A signal wakes one waiter, every waiter in turn being a different interleaving; without waiters it does nothing.
//  - Fork, begin, end and join are no steps: they happen as soon as they can.
//  - Only steps on shared objects are scheduling points; all others happen as soon as they can. A variable is shared
//  when,
//    over all executions, two threads use it and one of them may write (a compare-and-swap may); another object, when
//    two threads use it. What a thread is about to do counts as use, even if it blocks there for ever. Uses by main
//    before its first fork do not count. A thread is known by its parent and the number of the fork within the parent.
//  - An execution ends when no thread can step: when some wait for each other in a cycle, the others go on. An
//    interleaving is its sequence of scheduling points.
//  - The local history of a thread is the sequence of what its steps on shared objects told it (what a load read,
//  whether a try-lock
//    got the lock, ...) and of what the threads returned that it joined. Threads are told apart by identity and by what
//    they run. (The deadlines of these programs have passed long ago: nobody learns anything from time.)
//  - Under TSO and PSO, docs/memory-models.md: a buffered store is no step, it happens as soon as it can. A flush is a
//    step and a scheduling point; which store is flushed tells interleavings apart. What drains waits for an empty
//    buffer, steps on objects that are not shared and forks, joins and ends too; a thread that still has to drain waits
//    for nobody else. Memory that is not shared is written at once, and
//    so is everything before the first fork. Main prints the outcome (a scheduling point) and ends the program.
//  - Sharing is a matter of bytes, but all bytes of an access are shared if one of them is.
//  - A buffered store that can be flushed is about to be performed.
//  - Two threads race if they can both be about to access one variable, one of them writing, one of them not
//  atomically; or if they can do so one after the other, and nothing orders the two (happens_before.h).
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "memory.h"
#include "program.h"

namespace sweep {

struct Enumeration {
  std::uint64_t interleavings = 0;  // that end with all threads ended
  std::uint64_t deadlocks = 0;      // interleavings that end with a thread blocked
  std::set<std::string> outcomes;   // what interp.c prints, of the complete ones
  std::uint64_t classes = 0;        // distinct tuples of all threads' local histories at the ends of complete ones
  std::uint64_t histories = 0;      // non-empty local histories of all threads, over all executions
  std::set<std::pair<char, char>> races;  // the two accesses' letters (Pending::access), in order
  bool races_known = true;                // else only those that can both be about to happen
  // Whether an object is a scheduling point may depend on the order in which sharing is learned: a thread blocks in a
  // wait before its mutex is known to be shared. Everything but the numbers of interleavings is well defined then.
  bool ambiguous = false;
  bool exceeded = false;  // more than `limit` in all; the numbers are then partial
  bool misuse = false;    // some execution unlocks or waits with a mutex that it does not hold
};

Enumeration enumerate(const Program& program, std::uint64_t limit, MemoryModel model = MemoryModel::SC);

}  // namespace sweep

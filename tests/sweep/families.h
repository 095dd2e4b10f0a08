// Random programs by family: each has one kind of thing that the programs of generator.h do not have, so that a family
// on which Plait is wrong does not hide the others.
#pragma once
#include <cstdint>
#include <string_view>

#include "memory.h"
#include "program.h"

namespace sweep {

struct Family {
  std::string_view name;
  bool weak_memory;     // also under TSO and PSO
  bool unbounded;       // loops without a bound: only an explorer that merges states can end
  bool races;           // compared, too
  bool coarse = false;  // some steps of the oracle are many of Plait's
};

inline constexpr Family kFamilies[] = {
    {"plain", true, false, true},       // nothing new: the oracles compared with each other
    {"objects", true, false, true},     // the programs of generator.h: conditions, semaphores, barriers, bounded loops
    {"assume", true, false, true},      // assumptions, failures in some branches
    {"exits", true, false, true},       // exits by any thread, detached threads, threads that outlive main
    {"frees", true, false, true},       // heap blocks that some thread frees, while others use them
    {"blocklocks", true, false, true},  // the same with mutexes, conditions, semaphores in them
    {"destroys", true, false, true},    // mutexes that some thread destroys, while others use them
    {"joins", true, false, true},       // joins by strangers, recursive locks
    {"waits", true, true, true},        // loops that wait, on memory that is private at first
    {"atomic", true, false, false},     // atomic sections
    {"process", true, false, true},     // environment, umask, directory, descriptors
    {"library", true, false, true},     // library functions that write, rounding modes
    {"handlers", true, false, true},    // exit handlers
    {"heap", true, false, true},        // cells of the heap that threads allocate, hand over and free
    {"statics", true, false, true, true},  // static variables of functions: constructors, destructors
    {"structs", true, false, true},        // structs with padding, whole and by member
    {"scopes", true, false, true},         // local variables that threads use after the end of their functions
    {"twins", true, false, true},          // several threads with one body
    {"mixed", true, false, true, true},    // all of it but the endless loops
};

const Family* family_of(std::string_view name);

/// A program with one meaning and at most `limit` states under the model.
Program generate(const Family& family, std::uint64_t seed, std::uint64_t limit, MemoryModel model);

}  // namespace sweep

// What a weak memory model did to a recorded run, in sentences: stores that others could not see yet, stores that
// overtook others.
#pragma once
#include <string>
#include <vector>

#include "report/buffers.h"

namespace plait {

struct Reordering {
  enum Kind {
    /// "T1's store to x (sb.c:12) was still in its buffer when T2 read x (sb.c:30)"; events: the store, the read or
    /// write
    Unseen,
    /// "T1's store to flag (mp.c:9) reached memory before its store to data (mp.c:8)"; events: the store, its flush,
    /// the
    /// other store
    Overtaken,
  };
  Kind kind;
  std::string text;
  std::vector<size_t> events;
  size_t at;  // the event at which it shows: the read, the write, the flush
};

/// In order of `at`. A loop that reads again and again is told once, with its last read.
std::vector<Reordering> reorderings(const Bug&, const Buffers&);

/// In one line what the memory model has to do with the failure: "under tso: ..."; empty under SC.
std::string reordering_summary(const Bug&, const Buffers&);

}  // namespace plait

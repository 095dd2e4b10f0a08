// What one unit's block says (trace/depends.h).
#pragma once
#include <utility>
#include <vector>

#include "depend/section.h"
#include "trace/depends.h"

namespace plait::depend {

struct UnitGraph {
  struct Name {
    u32 node;
    u64 name;
    bool hooked;
  };
  struct Called {
    u64 name;
    depends::External kind;
    u32 arguments, enter, exit, result;
  };
  struct AtSite {
    u32 row;
    depends::SiteKind kind;
    u32 node;
  };
  struct Guarded {
    u64 variable;
    u32 from, to;
  };
  u32 nodes = 0;
  std::vector<Name> names;
  std::vector<u64> defined, taken;
  std::vector<Called> called;
  std::vector<AtSite> sites;
  std::vector<std::pair<u32, u32>> edges;
  std::vector<Guarded> guarded;
};

/// False if the block is damaged.
bool read(const Block& block, UnitGraph& unit);

}  // namespace plait::depend

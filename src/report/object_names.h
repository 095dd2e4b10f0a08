// What to call memory that no global variable names: locals whose address is known to other threads, and the heap.
#pragma once
#include <map>
#include <span>
#include <string>
#include <utility>

#include "report/program_map.h"
#include "trace/event.h"

namespace plait {

/// Does the event say where in memory something happened?
bool has_memory_location(Op);

/// Each place in the program has its own expression for what it accesses. That is the best name for what is read and
/// written; but who waits for whom can be seen only if a lock has the same name everywhere, and no other one has it.
class ObjectNames {
 public:
  ObjectNames(const ProgramMap&, std::span<const Event>);
  std::string name(const Event&, const Place&) const;

 private:
  const ProgramMap& map_;
  using Key = std::pair<bool, u64>;  // locks and the like or not, location: a stack holds many things in one place
  std::map<Key, std::string> names_;
};

}  // namespace plait

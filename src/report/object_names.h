// What to call memory: one name for one object, wherever it is used. Global variables and their parts, heap blocks by
// their type and where they were allocated, local variables; where nothing of that is known, as the source says it.
#pragma once
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "report/account.h"
#include "report/elements.h"
#include "report/program_map.h"
#include "trace/event.h"

namespace plait {

/// Does the event say where in memory something happened?
bool has_memory_location(Op);

/// An object that events name, for the lines that say what it is.
struct NamedObject {
  enum Kind { Variable, Block, Local } kind = Variable;
  std::string name;  // as in the events: "conn", "Node#2"
  std::string type;  // may be empty
  u64 address = 0, size = 0;
  ThreadId thread = kNoThread;  // whose local it is, who allocated it
  Place made;                   // where it is declared or was allocated
  std::vector<u32> stack = {};  // of its allocation: see Bug::frames
  bool freed = false;
  ThreadId free_thread = kNoThread;
  Place ended = {};
  std::vector<u32> free_stack = {};
};

/// "the Node of push(int) at stack.cc:12, allocated by T1"
std::string object_text(const NamedObject&);

class ObjectNames {
 public:
  ObjectNames(const ProgramMap&, std::span<const Event>, Account = {});
  std::string name(size_t event, const Place&) const;
  /// The same for a lock that no event is about.
  std::string lock_name(u64 address, size_t event, u32 site) const;
  /// What a value of the event stands for: "&settings", "null", "uninitialised"; empty: the number says it best.
  std::string value_name(size_t event, u64 value) const;
  /// The objects that events name, in order of appearance.
  const std::vector<NamedObject>& objects() const { return objects_; }

 private:
  struct Found {
    const NamedObject* object = nullptr;
    std::string name;
    bool pointer = false;
  };
  void collect(u64 address, u64 event);
  void number_names();
  void collect_expressions();
  void add_block(const AccountBlock&);
  void add_local(const AccountLocal&);
  void collect_owners();
  void name_elements();
  std::string name_of_container(u64 address) const;
  const Element* element_of(const NamedObject&) const;
  Found find(u64 address, u64 size, u64 event) const;
  std::string pointer_name(u64 address, u64 event) const;
  bool is_fresh_byte(size_t index, u64 value) const;

  const ProgramMap& map_;
  const std::span<const Event> events_;
  const Account account_;
  std::vector<NamedObject> objects_;
  std::vector<std::string> layouts_;  // of the objects
  mutable Elements elements_;
  std::map<std::pair<u64, u64>, size_t> known_;  // begin and, of a local, the event from which on it lives
  using Key = std::pair<bool, u64>;   // locks and the like or not, location: a stack holds many things in one place
  std::map<Key, std::string> names_;  // expressions for what has no object
};

}  // namespace plait

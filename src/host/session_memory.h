// The session: what all workers of one check agree on (trace/session.h), and the class map, created here and inherited.
#pragma once
#include <sys/types.h>

#include <vector>

#include "base/memory.h"
#include "host/class_map.h"
#include "run/visibility.h"
#include "trace/labels.h"

namespace plait {

class SessionMemory {
 public:
  explicit SessionMemory(const SessionOptions&);
  Session& session() { return *reinterpret_cast<Session*>(memory_.data()); }
  LabelTables& labels() { return labels_of(session()); }
  int descriptor() const { return memory_.descriptor(); }
  int class_descriptor() const { return classes_.descriptor(); }

  Visibility visibility();
  /// Runners::share_block_size.
  bool share_block_size(u64 block);
  /// What runs have noted, ordered, without duplicates.
  std::vector<Note> notes();
  /// Throws Error (internal) if a run has left something behind that later runs see.
  void require_no_leaks();
  /// A worker has died, perhaps in the middle of telling the others something: finishes that for it.
  void mend(pid_t dead);
  /// Visibility::extent() as it is now. A worker sees what is new before each run, whoever has found it.
  size_t extent();
  /// Another round: these inputs have values, the others their defaults, and nothing has been decided by them. Only
  /// while no worker runs.
  void set_inputs(const std::vector<InputVariable>& values);
  /// Those that some run of this round has taken.
  std::vector<InputVariable> taken_inputs();
  /// What runs elsewhere have found out, besides what is known here. Identities that others have meanwhile given other
  /// numbers are left as they are here.
  void add(const Visibility&, u32 most_threads);
  void add(const std::vector<Note>&);
  /// Who has touched what in them. A byte that one thread has touched here and another one there is shared.
  void add(const std::vector<Touched>&);
  /// Who has touched what in any run here.
  std::vector<Touched> touched() const { return classes_.touched(); }
  /// Only before the first worker starts.
  void teach(const Visibility&);

 private:
  SharedMemory memory_;
  ClassMap classes_;
};

}  // namespace plait

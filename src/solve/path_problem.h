// Which paths can threads take together? The constraints of maximal path causality (003, §3.2), Phi_mpc = Phi_sync and
// Phi_pc and Phi_dc, over events with conditions: bit-vectors for values, difference logic for orders. Events are those
// of one prefix of a path (explorer `mpc`), or of all known paths: then each may happen or not.
//
// Only sequential consistency, mutexes, forks and joins, and places in memory that are always accessed as a whole. Who
// makes a problem sees to that.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "solve/input_terms.h"

namespace plait::solve {

struct PathTerm {
  LabelOp op = LabelOp::None;
  u8 width = 0, from = 0;
  u32 operand[3] = {};
  u64 constant[3] = {};  // of Read: the event; of Input: its index
};

struct PathEvent {
  enum class Kind : u8 { Other, Decision, Load, Store, Update, Compare, Lock, Join };
  Kind kind = Kind::Other;
  ThreadId thread = 0;
  u8 bytes = 0;
  RmwKind update = RmwKind::Exchange;
  u32 before = 0;                          // of its thread; 0: it is the first
  std::optional<u64> side;                 // the result of `before` that leads here, if there are several
  u32 place = 0;                           // in memory; of a lock: its number
  InputValue operand = {}, expected = {};  // constants, or terms of the problem
  // One of these must have happened. Of a thread's first event: forks; of a join: the thread's ends.
  std::vector<u32> behind_one_of = {};
  std::vector<u32> unlocks = {};  // of a lock: where it ends
};

struct PathProblem {
  std::vector<PathTerm> terms{PathTerm()};     // 0: none
  std::vector<PathEvent> events{PathEvent()};  // likewise; each behind the one before it
  std::vector<u64> initial;                    // of the places
  bool reads_anything = false;                 // whatever is written: what a thread could do on its own
  /// Is a the same as b, or before it on its thread's way?
  bool leads_to(u32 a, u32 b) const {
    while (b > a) b = events[b].before;
    return a == b;
  }
};

/// An event that happens, with this result, or with none of these.
struct PathGoal {
  u32 event = 0;
  std::vector<u64> not_results = {};
  std::optional<u64> result = {};
  bool others_come_first = false;  // nothing happens after it
};

struct PathAnswer {
  enum class Kind : u8 { Yes, No, Unknown };
  Kind kind = Kind::Unknown;
  std::vector<u32> order = {};  // Yes: what happens
  InputModel inputs = {};       // and their values
  u64 result = 0;               // of the first goal's event
  ThreadSet conflict = 0;       // No: threads whose conditions cannot hold together; 0: whatever their conditions are
};

class PathSolver {
 public:
  /// Problem and inputs stay as they are.
  PathSolver(const PathProblem& problem, const InputTerms& inputs, double seconds);
  ~PathSolver();
  PathAnswer solve(const std::vector<PathGoal>& goals);

 private:
  struct Encoding;
  std::unique_ptr<Encoding> encoding_;
};

/// How large the constraints on what is read would be, in comparisons of order.
u64 size_of_reads(const PathProblem& problem);

}  // namespace plait::solve

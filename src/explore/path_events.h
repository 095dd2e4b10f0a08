// Known paths as a problem for the constraints of maximal path causality (solve/path_problem.h): each node of the
// behaviour graphs that a run has shown is an event. Graphs whose reads are symbols are trees, so an event's way from
// the start is known.
#pragma once
#include <string>

#include "explore/decider.h"
#include "solve/path_problem.h"

namespace plait {

class PathEvents {
 public:
  /// `inputs`: those of the program that expressions may be about.
  PathEvents(const Behaviour& knowledge, const solve::InputTerms& inputs);

  /// All that is known.
  void add_all();
  /// A node and all before it in its thread. (Threads that start it must be added, too.)
  void add_way_to(NodeId node);
  /// What is read may be anything: for questions about one thread on its own.
  void read_anything() { problem_.reads_anything = true; }
  /// To be called when all have been added. False: `obstacle()` says why the constraints do not know these paths.
  bool finish();
  const std::string& obstacle() const { return obstacle_; }

  const solve::PathProblem& problem() const { return problem_; }
  /// 0: none.
  u32 event_of(NodeId node) const { return node < event_of_.size() ? event_of_[node] : 0; }
  NodeId node_of(u32 event) const { return node_of_[event]; }
  /// Does the node's operation have one of several results?
  static bool has_sides(const Node& node) {
    return node.op == Op::Label || (machine::is_read(node.op) && !node.is_symbol);
  }
  /// Nobody waits or starts a thread while holding a mutex, so nobody can be stuck.
  bool may_be_stuck() const { return may_be_stuck_; }

  /// The schedule and the inputs of an answer.
  Path path_of(const solve::PathAnswer& answer) const;

 private:
  void add(NodeId node);
  void give_up(const Node& node, const char* why);
  solve::PathEvent event_for(NodeId id);
  u32 place_of(const Node& node);
  u32 term(u32 number);
  void find_unlocks(u32 lock, NodeId from);
  void find_forks_and_ends();
  void find_places();

  const Behaviour& knowledge_;
  const solve::InputTerms& inputs_;
  solve::PathProblem problem_;
  std::vector<u32> event_of_;  // by node
  std::vector<NodeId> node_of_{kNoNode};
  std::vector<u32> position_of_{0};  // of the operation in its thread
  std::map<u32, u32> terms_;         // by number in the knowledge
  std::map<u32, u32> places_;        // by range
  std::map<u64, u32> locks_;         // by address
  bool may_be_stuck_ = false;
  std::string obstacle_;
};

}  // namespace plait

#include "explore/path_frontier.h"

#include "explore/counted_solver.h"

namespace plait {
namespace {

constexpr u64 kMostComparisons = 200'000;  // of order, in the constraints on what is read
constexpr size_t kMostUnknowns = 1000;

}  // namespace

std::vector<PathFrontier::Unknown> PathFrontier::unknowns(const Behaviour& knowledge, const PathEvents& events) {
  std::vector<Unknown> found;
  for (NodeId id = 1; id < knowledge.size(); ++id) {
    const Node& node = knowledge.node(id);
    if (!events.event_of(id) || node.op == Op::End) continue;
    if (node.op == Op::Fork && knowledge.node(node.forked).state == Node::State::Unknown)
      found.push_back({id, {}, node.forked});
    std::vector<u64> known;
    for (u32 edge = node.first_edge; edge; edge = knowledge.edge(edge).next)
      if (const u64 result = knowledge.edge(edge).result; knowledge.known_child(id, result) != kNoNode)
        known.push_back(result);
    const bool has_sides = PathEvents::has_sides(node);
    const bool is_bit = node.op == Op::Label && knowledge.expressions().term(node.operand_term).width == 1;
    if (has_sides ? !(is_bit && known.size() == 2) : known.empty()) found.push_back({id, std::move(known)});
  }
  return found;
}

PathFrontier::Answer PathFrontier::ask(const Behaviour& knowledge, const solve::InputTerms& inputs, Control& control,
                                       double seconds, std::vector<PathLead>& leads) {
  using Kind = solve::PathAnswer::Kind;
  has_given_up_ = true;  // unless it gets to the end
  PathEvents events(knowledge, inputs);
  events.add_all();
  if (!events.finish() || solve::size_of_reads(events.problem()) > kMostComparisons) return Answer::CannotSay;
  const std::vector<Unknown> unknown = unknowns(knowledge, events);
  if (unknown.size() > kMostUnknowns) return Answer::CannotSay;
  const double end = control.seconds() + seconds;
  solve::PathSolver solver(events.problem(), inputs, seconds);
  for (const Unknown& one : unknown) {
    const u32 event = events.event_of(one.node);
    const auto begin = std::chrono::steady_clock::now();
    const solve::PathAnswer answer = solver.solve({{event, one.known}});
    if (answer.kind == Kind::Unknown || control.stopped() || control.seconds() > end) {
      has_given_up_ = false;
      return leads.empty() ? Answer::CannotSay : Answer::Leads;
    }
    count_query(control.counters, answer.kind == Kind::Yes, begin);
    if (answer.kind == Kind::No) continue;
    const Target target = one.root != kNoNode
                              ? Target{one.root, 0}
                              : Target{one.node, PathEvents::has_sides(knowledge.node(one.node)) ? answer.result : 0};
    leads.push_back({target, knowledge.node(one.node).thread, events.path_of(answer)});
  }
  if (leads.empty() && events.may_be_stuck()) return Answer::CannotSay;
  has_given_up_ = false;
  return leads.empty() ? Answer::Nothing : Answer::Leads;
}

}  // namespace plait

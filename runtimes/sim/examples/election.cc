// A leader is elected by majority: three nodes, each votes for whoever asks first. Any node may crash and restart.
//
//   plait explore -- ./election                  correct
//   plait explore -- ./election --forgets-votes  a node that restarts does not know any more for whom it has voted
#include <plait_sim.h>

#include <set>
#include <string>
#include <vector>

struct Message {
  bool is_vote;
  std::string text() const { return is_vote ? "my vote" : "vote for me"; }
};

struct Node : plait::sim::Actor<Node, Message> {
  std::vector<std::string> others;
  bool forgets_votes = false;
  std::string voted_for;  // is on disk, or should be
  std::set<std::string> votes;
  bool is_leader = false;

  void start(Context& context) override { context.set_timer("election"); }
  void timeout(Context& context, const std::string&) override {
    if (!voted_for.empty()) return;
    voted_for = context.name();
    votes = {context.name()};
    for (const std::string& other : others) context.send(other, {false});
  }
  void receive(Context& context, const std::string& from, const Message& message) override {
    if (message.is_vote) {
      if (votes.empty()) return;  // it has restarted since
      votes.insert(from);
      is_leader = 2 * votes.size() > others.size() + 1;
    } else if (voted_for.empty()) {
      voted_for = from;
      context.send(from, {true});
    }
  }
  void crash() override {
    votes.clear();
    is_leader = false;
    if (forgets_votes) voted_for.clear();
  }
};

int main(int count, char** words) {
  plait::sim::World<Message> world("election");
  world.budget.crashes = 1;
  world.budget.its_timeouts = {{"n2", 0}};
  Node node;
  for (const std::string& word : world.options(count, words, {"--forgets-votes"}))
    node.forgets_votes |= word == "--forgets-votes";
  for (const char* name : {"n0", "n1", "n2"}) {
    node.others.clear();
    for (const char* other : {"n0", "n1", "n2"})
      if (std::string(name) != other) node.others.emplace_back(other);
    world.add(name, node);
  }
  world.always("there is one leader", [](const plait::sim::States<Message>& states) {
    int leaders = 0;
    for (const Node* one : states.all<Node>()) leaders += one->is_leader;
    return leaders <= 1;
  });
  return world.serve();
}

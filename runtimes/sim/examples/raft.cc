// The core of Raft (Ongaro and Ousterhout 2014): elections and log replication on three nodes. A leader sends its whole
// log in one message, so that nothing has to be asked for again; a node proposes one entry when it first leads. Two
// nodes hold elections and do not hear each other: the third decides, as in the paper's Figure 8.
//
//   plait explore -- ./raft             correct
//   plait explore -- ./raft --by-count  a leader commits entries of earlier terms as soon as a majority has them:
//   §5.4.2
//                                       of the paper says why it must not
//   plait explore -- ./raft --whole-network  correct: everybody hears everybody, and each node times out once
#include <plait_sim.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

struct Entry {
  int term;
  std::string command;
  bool operator==(const Entry& other) const { return term == other.term && command == other.command; }
};
using Log = std::vector<Entry>;

struct Message {
  enum Kind { Ask, Vote, Append, Stored } kind;
  int term;
  int last_term = 0, last_index = 0;  // Ask: of the candidate's log
  Log log = {};                       // Append
  int committed = 0;                  // likewise
  int stored = 0;                     // Stored: how many entries

  std::string text() const {
    const std::string of_term = " (term " + std::to_string(term) + ")";
    if (kind == Ask) return "vote for me" + of_term;
    if (kind == Vote) return "my vote" + of_term;
    if (kind == Stored) return std::to_string(stored) + " stored" + of_term;
    std::string entries;
    for (const Entry& entry : log) entries += " " + entry.command + std::to_string(entry.term);
    return "log:" + entries + ", " + std::to_string(committed) + " committed" + of_term;
  }
};

struct Node : plait::sim::Actor<Node, Message> {
  enum Role { Follower, Candidate, Leader };
  // Does not change.
  std::vector<std::string> others;
  std::string command;
  bool by_count = false;
  // Survives a crash.
  int term = 0;
  std::string voted_for;
  Log log;
  bool has_proposed = false;
  // Does not.
  Role role = Follower;
  std::set<std::string> votes;
  std::map<std::string, int> stored;
  int committed = 0;

  bool operator==(const Node& other) const {
    return term == other.term && voted_for == other.voted_for && log == other.log && role == other.role &&
           votes == other.votes && stored == other.stored && committed == other.committed;
  }

  void start(Context& context) override { context.set_timer("election"); }

  void crash() override {
    role = Follower;
    votes.clear();
    stored.clear();
    committed = 0;
  }

  void timeout(Context& context, const std::string&) override {
    context.set_timer("election");
    role = Candidate;
    ++term;
    voted_for = context.name();
    votes = {context.name()};
    for (const std::string& other : others) context.send(other, ask());
  }

  /// Terms only grow. Within a term a vote is given once, and a leader or follower does not become a candidate.
  bool stale(const std::string& from, const Message& message) const override {
    if (message.term != term) return message.term < term;
    if (message.kind == Message::Ask) return !voted_for.empty();
    if (message.kind == Message::Vote) return role != Candidate;
    if (message.kind == Message::Stored)
      return role != Leader || (stored.count(from) && stored.at(from) >= message.stored);
    return false;
  }

  void receive(Context& context, const std::string& from, const Message& message) override {
    if (message.term < term) return;
    if (message.term > term) {  // whoever hears of a later term follows
      term = message.term;
      role = Follower;
      voted_for.clear();
      votes.clear();
      stored.clear();
    }
    switch (message.kind) {
      case Message::Ask: return answer(context, from, message);
      case Message::Vote: return count(context, from);
      case Message::Append: return store(context, from, message);
      case Message::Stored: return commit(from, message.stored);
    }
  }

  Message ask() const {
    Message message{Message::Ask, term};
    message.last_term = log.empty() ? 0 : log.back().term;
    message.last_index = static_cast<int>(log.size());
    return message;
  }

  void answer(Context& context, const std::string& from, const Message& message) {
    const Message mine = ask();
    const bool up_to_date = message.last_term > mine.last_term ||
                            (message.last_term == mine.last_term && message.last_index >= mine.last_index);
    if (!voted_for.empty() || !up_to_date) return;
    voted_for = from;
    context.send(from, Message{Message::Vote, term});
  }

  void count(Context& context, const std::string& from) {
    if (role != Candidate) return;
    votes.insert(from);
    if (2 * votes.size() <= others.size() + 1) return;
    role = Leader;
    if (!has_proposed) log.push_back({term, command});
    has_proposed = true;
    stored = {{context.name(), static_cast<int>(log.size())}};
    for (const std::string& other : others) {
      Message message{Message::Append, term};
      message.log = log;
      message.committed = committed;
      context.send(other, message);
    }
  }

  void store(Context& context, const std::string& from, const Message& message) {
    role = Follower;
    log = message.log;
    committed = std::max(committed, message.committed);
    Message reply{Message::Stored, term};
    reply.stored = static_cast<int>(log.size());
    context.send(from, reply);
  }

  void commit(const std::string& from, int entries) {
    if (role != Leader) return;
    stored[from] = std::max(stored[from], entries);
    for (int n = static_cast<int>(log.size()); n > committed; --n) {
      const auto has = [&](const auto& one) { return one.second >= n; };
      const auto nodes = static_cast<std::size_t>(std::count_if(stored.begin(), stored.end(), has));
      const bool may = by_count || log[static_cast<std::size_t>(n) - 1].term == term;
      if (2 * nodes > others.size() + 1 && may) committed = n;
    }
  }
};

using States = plait::sim::States<Message>;

bool one_leader_in_a_term(const States& states) {
  std::set<int> terms;
  for (const Node* node : states.all<Node>())
    if (node->role == Node::Leader && !terms.insert(node->term).second) return false;
  return true;
}

/// No two nodes have committed different entries at the same place, and no later leader lacks one.
bool committed_entries_stay(const States& states) {
  for (const Node* one : states.all<Node>())
    for (const Node* other : states.all<Node>()) {
      const bool later_leader = other->role == Node::Leader && other->term >= one->term;
      const std::size_t both =
          static_cast<std::size_t>(later_leader ? one->committed : std::min(one->committed, other->committed));
      if (both > other->log.size() ||
          !std::equal(one->log.begin(), one->log.begin() + static_cast<long>(both), other->log.begin()))
        return false;
    }
  return true;
}

int main(int count, char** words) {
  plait::sim::World<Message> world("raft");
  world.budget.its_timeouts = {{"n0", 3}, {"n1", 0}, {"n2", 4}};
  world.budget.cut = {{"n0", "n2"}};
  const bool whole_network = count > 1 && std::string(words[1]) == "--whole-network";
  if (whole_network) {
    world.budget.its_timeouts.clear();
    world.budget.cut.clear();
  }
  const std::vector<std::string> rest = world.options(count, words, {"--by-count", "--whole-network"});
  const std::vector<std::string> names = {"n0", "n1", "n2"};
  for (const std::string& name : names) {
    Node node;
    node.command = std::string(1, static_cast<char>('a' + name[1] - '0'));
    node.by_count = std::find(rest.begin(), rest.end(), "--by-count") != rest.end();
    for (const std::string& other : names)
      if (other != name) node.others.push_back(other);
    world.add(name, node);
  }
  world.always("a term has one leader", one_leader_in_a_term);
  world.always("what is committed stays", committed_entries_stay);
  return world.serve();
}

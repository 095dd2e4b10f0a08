// Two-phase commit: a coordinator and two participants, one of which may crash and restart.
//
//   plait explore -- ./two_phase_commit             correct
//   plait explore -- ./two_phase_commit --impatient a participant that restarts does not ask how it ended, but aborts
//   plait explore -- ./two_phase_commit --losses 1  correct, but who misses the decision waits for ever
#include <plait_sim.h>

#include <set>
#include <string>

struct Message {
  enum Kind { Prepare, Yes, Commit, Abort, Ask } kind;
  std::string text() const {
    static const char* const texts[] = {"prepare", "yes", "commit", "abort", "how did it end?"};
    return texts[kind];
  }
};

struct Participant : plait::sim::Actor<Participant, Message> {
  enum State { Working, Prepared, Committed, Aborted } state = Working;  // is on disk
  bool impatient = false;

  void receive(Context& context, const std::string& from, const Message& message) override {
    if (state == Committed || state == Aborted) return;
    if (message.kind == Message::Prepare && state == Working) {
      state = Prepared;
      context.send(from, {Message::Yes});
    } else if (message.kind == Message::Commit) {
      state = Committed;
    } else if (message.kind == Message::Abort) {
      state = Aborted;
    }
  }
  void restart(Context& context) override {
    if (state != Prepared) return;
    if (impatient)
      state = Aborted;  // but it has promised to commit if the others do
    else
      context.send("coordinator", {Message::Ask});
  }
  bool stale(const std::string&, const Message&) const override { return state == Committed || state == Aborted; }
  bool operator==(const Participant& other) const { return state == other.state; }
};

struct Coordinator : plait::sim::Actor<Coordinator, Message> {
  std::set<std::string> votes;
  bool has_decided = false;  // is on disk, and so is the decision
  Message decision{Message::Abort};

  void start(Context& context) override {
    context.set_timer("votes");
    for (const char* participant : {"p1", "p2"}) context.send(participant, {Message::Prepare});
  }
  void receive(Context& context, const std::string& from, const Message& message) override {
    if (message.kind == Message::Ask) {
      if (has_decided) context.send(from, decision);
    } else if (!has_decided) {
      votes.insert(from);
      if (votes.size() == 2) decide(context, Message::Commit);
    }
  }
  void timeout(Context& context, const std::string&) override { decide(context, Message::Abort); }
  void crash() override { votes.clear(); }
  void restart(Context& context) override { decide(context, has_decided ? decision.kind : Message::Abort); }

  void decide(Context& context, Message::Kind how) {
    has_decided = true;
    decision.kind = how;
    context.cancel_timer("votes");
    for (const char* participant : {"p1", "p2"}) context.send(participant, decision);
  }
  bool stale(const std::string&, const Message& message) const override {
    return message.kind == Message::Yes && has_decided;
  }
};

int main(int count, char** words) {
  plait::sim::World<Message> world("two-phase commit");
  world.budget.crashes = 1;
  Participant participant;
  for (const std::string& word : world.options(count, words, {"--impatient"}))
    participant.impatient |= word == "--impatient";
  world.add("coordinator", Coordinator());
  world.add("p1", participant);
  world.add("p2", participant);
  using States = plait::sim::States<Message>;
  world.always("all commit or all abort", [](const States& states) {
    const Participant &p1 = states.get<Participant>("p1"), &p2 = states.get<Participant>("p2");
    return !(p1.state == Participant::Committed && p2.state == Participant::Aborted) &&
           !(p1.state == Participant::Aborted && p2.state == Participant::Committed);
  });
  world.at_rest("everybody knows how it ended", [](const States& states) {
    for (const Participant* one : states.all<Participant>())
      if (one->state == Participant::Working || one->state == Participant::Prepared) return false;
    return true;
  });
  return world.serve();
}

// A world that is read from the command line, for sim_test.py: what actors do with messages is a table.
//
// Words: RULES as "a 2 0 b3 c4 !": when a receives message 2, having received an even number of them, it sends 3 to b,
// 4 to c, and sets its timer (!). "a start 0 ..." and "a timer 0 ..." likewise. "stale a 2 5": once a has received 5,
// it ignores 2. "always a 1 b 2": a has not received one message while b has received two. "rest a 3": in the end a has
// received three messages.
#include <plait_sim.h>

#include <cstdlib>
#include <sstream>

namespace {

struct Message {
  std::string number;
  std::string text() const { return number; }
};

using Rules = std::map<std::string, std::vector<std::string>>;  // "a 2 0" -> words

struct Actor : plait::sim::Actor<Actor, Message> {
  Rules rules;
  std::map<std::string, std::string> ignores;  // message -> what makes it stale
  std::vector<std::string> received;

  bool has(const std::string& number) const {
    return std::find(received.begin(), received.end(), number) != received.end();
  }
  void follow(Context& context, const std::string& what) {
    const auto rule = rules.find(context.name() + " " + what + " " + std::to_string(received.size() % 2));
    if (rule == rules.end()) return;
    for (const std::string& word : rule->second) {
      if (word == "!")
        context.set_timer("t");
      else
        context.send(word.substr(0, 1), Message{word.substr(1)});
    }
  }
  void start(Context& context) override { follow(context, "start"); }
  void receive(Context& context, const std::string& from, const Message& message) override {
    if (stale(from, message)) return;
    follow(context, message.number);
    received.push_back(message.number);
  }
  void timeout(Context& context, const std::string&) override {
    follow(context, "timer");
    received.push_back("timer");
  }
  void restart(Context&) override { received.push_back("restart"); }
  bool stale(const std::string&, const Message& message) const override {
    const auto found = ignores.find(message.number);
    return found != ignores.end() && has(found->second);
  }
  bool operator==(const Actor& other) const { return received == other.received; }
};

using World = plait::sim::World<Message>;
using States = plait::sim::States<Message>;

void take(World& world, std::map<std::string, Actor>& actors, const std::string& line) {
  std::istringstream words(line);
  std::string first, second, third, fourth;
  words >> first >> second >> third;
  if (first == "actor") {
    actors[second];
  } else if (first == "stale") {
    words >> fourth;
    actors[second].ignores[third] = fourth;
  } else if (first == "always") {
    std::string number;
    words >> fourth >> number;
    world.always(line, [=](const States& states) {
      return states.get<Actor>(second).received.size() != std::stoul(fourth) ||
             states.get<Actor>(third).received.size() != std::stoul(number);
    });
  } else if (first == "rest") {
    world.at_rest(line,
                  [=](const States& states) { return states.get<Actor>(second).received.size() >= std::stoul(third); });
  } else {
    std::vector<std::string>& rule = actors[first].rules[first + " " + second + " " + third];
    while (words >> fourth) rule.push_back(fourth);
  }
}

}  // namespace

int main(int count, char** words) {
  World world("world");
  std::map<std::string, Actor> actors;
  for (const std::string& line : world.options(count, words)) take(world, actors, line);
  for (const auto& one : actors) world.add(one.first, one.second);
  world.result([&](const States& states) {
    std::string text;
    for (const auto& one : actors) {
      text += one.first + ":";
      for (const std::string& number : states.get<Actor>(one.first).received) text += " " + number;
      text += "; ";
    }
    return text;
  });
  return world.serve();
}

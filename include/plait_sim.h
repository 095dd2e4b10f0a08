// Message-passing systems for Plait in C++17: actors with mailboxes on a network that delays, reorders, loses and
// duplicates messages, timers, crashes and restarts, within budgets. You write what an actor does with a message, and
// what must always hold; Plait explores every order that matters.
//
//   struct Ping { int number; std::string text() const { return "ping " + std::to_string(number); } };
//   struct Peer : plait::sim::Actor<Peer, Ping> {
//     std::string other;
//     int seen = 0;
//     void start(Context& context) override { context.send(other, Ping{1}); }
//     void receive(Context&, const std::string&, const Ping& ping) override { seen += ping.number; }
//   };
//   int main() {
//     plait::sim::World<Ping> world("peers");
//     ... world.add("a", a); world.add("b", b);
//     world.always("nobody sees two", [](const auto& states) { return states.template get<Peer>("a").seen < 2; });
//     return world.serve();
//   }
//
// and then: plait explore -- ./peers. docs/sim.md of Plait is the manual. No library is needed; this file and
// plait_runtime.h are all of it.
//
// Which events interfere: those of the same actor, those about the same message, and those that share a budget. What an
// actor does depends only on what it has received, so everything else commutes. A run therefore stands for many
// orders, and for many states of the whole system: every state that some order of the run's events passes through (a
// "consistent cut", Mattern 1989). Invariants are asked of all of them ("possibly", Cooper and Marzullo 1991), since
// Plait will not make another run for a state that no actor can notice.
#pragma once
#include <plait_sim_run.h>

namespace plait {
namespace sim {

namespace detail {

template <class T>
class HasEquality {
  template <class U>
  static auto test(int)
      -> decltype(static_cast<bool>(std::declval<const U&>() == std::declval<const U&>()), std::true_type());
  template <class>
  static std::false_type test(...);

 public:
  static constexpr bool value = decltype(test<T>(0))::value;
};

template <class T>
bool equal(const T& a, const T& b, std::true_type) {
  return a == b;
}
template <class T>
bool equal(const T&, const T&, std::false_type) {
  return true;
}

}  // namespace detail

/// What an actor can do in a step.
template <class Message>
class Context {
 public:
  const std::string& name() const { return name_; }
  void send(const std::string& to, const Message& message) { sends_.emplace_back(to, message); }
  /// It fires some time from now on, unless it is set again or cancelled.
  void set_timer(const std::string& timer) { timers_.emplace_back(timer, true); }
  void cancel_timer(const std::string& timer) { timers_.emplace_back(timer, false); }
  /// This must not happen.
  [[noreturn]] void fail(const std::string& message) { throw runtime::Failure{message, name_, "", "", 0}; }
  void expect(bool truth, const std::string& message) {
    if (!truth) fail(message);
  }

 private:
  friend class detail::Run<Message>;
  explicit Context(const std::string& name) : name_(name) {}
  const std::string& name_;
  std::vector<std::pair<std::string, Message>> sends_;
  std::vector<std::pair<std::string, bool>> timers_;
};

/// What all actors have in common. Derive from Actor, below.
template <class Message>
class AnyActor {
 public:
  using Context = sim::Context<Message>;
  virtual ~AnyActor() = default;
  /// In the beginning, before anything else happens anywhere.
  virtual void start(Context& context) { (void)context; }
  virtual void receive(Context& context, const std::string& from, const Message& message) = 0;
  virtual void timeout(Context& context, const std::string& timer) { (void)context, (void)timer; }
  /// What it forgets. Its timers are gone in any case, and it receives nothing until it restarts.
  virtual void crash() {}
  virtual void restart(Context& context) { start(context); }
  /// True: it would ignore this message, now and ever after. Such messages are taken off the network, which saves
  /// many runs. The kit tries whether it is true, in every state in which it could be delivered.
  virtual bool stale(const std::string& from, const Message& message) const {
    (void)from, (void)message;
    return false;
  }

  virtual std::unique_ptr<AnyActor> copy() const = 0;
  virtual bool same_as(const AnyActor& other) const = 0;
};

/// struct Node : plait::sim::Actor<Node, Message>. All of its state is in its members, and can be copied. If it has
/// operator==, then stale() is checked more closely.
template <class Self, class Message>
class Actor : public AnyActor<Message> {
 public:
  std::unique_ptr<AnyActor<Message>> copy() const override {
    return std::make_unique<Self>(static_cast<const Self&>(*this));
  }
  bool same_as(const AnyActor<Message>& other) const override {
    return detail::equal(static_cast<const Self&>(*this), static_cast<const Self&>(other),
                         std::integral_constant<bool, detail::HasEquality<Self>::value>());
  }
};

/// The state of all actors at one moment.
template <class Message>
class States {
 public:
  template <class T>
  const T& get(const std::string& name) const {
    return at<T>(world_.index_of(name));
  }
  /// By order of World::add.
  template <class T>
  const T& at(std::size_t actor) const {
    return dynamic_cast<const T&>(*actors_.at(actor));
  }
  /// All actors of this type.
  template <class T>
  std::vector<const T*> all() const {
    std::vector<const T*> result;
    for (const AnyActor<Message>* actor : actors_)
      if (const T* one = dynamic_cast<const T*>(actor)) result.push_back(one);
    return result;
  }
  bool is_up(const std::string& name) const { return up_.at(world_.index_of(name)); }
  std::size_t size() const { return actors_.size(); }

 private:
  friend class detail::Run<Message>;
  explicit States(const World<Message>& world) : world_(world) {}
  const World<Message>& world_;
  std::vector<const AnyActor<Message>*> actors_;
  std::vector<bool> up_;
};

template <class Message>
class World {
 public:
  using Test = std::function<bool(const States<Message>&)>;

  explicit World(std::string name) : name_(std::move(name)) {}

  template <class T>
  void add(const std::string& name, const T& actor) {
    indices_[name] = names_.size();
    names_.push_back(name);
    actors_.push_back(actor.copy());
  }
  Budget budget;
  /// In every state that any order of events can reach.
  void always(const std::string& what, Test test) { always_.emplace_back(what, std::move(test)); }
  /// When nothing is on its way any more, no timer is left and everybody is up.
  void at_rest(const std::string& what, Test test) { at_rest_.emplace_back(what, std::move(test)); }
  /// What came out, for --outcomes.
  void result(std::function<std::string(const States<Message>&)> text) { result_ = std::move(text); }

  /// Takes the budgets from a command line: --losses N, --duplicates N, --crashes N, --fifo, --reorders N, --timeouts
  /// N, --timeouts ACTOR=N, --cut ACTOR=ACTOR. Returns the other words: `own` names the program's own options, and
  /// serve() complains about all others that begin with --.
  std::vector<std::string> options(int count, char** words, const std::vector<std::string>& own = {});
  /// The whole main function from here on.
  int serve();

  std::size_t index_of(const std::string& name) const {
    const auto found = indices_.find(name);
    if (found == indices_.end()) throw std::runtime_error("there is no actor '" + name + "'");
    return found->second;
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  friend class detail::Run<Message>;
  std::string name_, complaint_;
  std::vector<std::string> names_;
  std::map<std::string, std::size_t> indices_;
  std::vector<std::unique_ptr<AnyActor<Message>>> actors_;
  std::vector<std::pair<std::string, Test>> always_, at_rest_;
  std::function<std::string(const States<Message>&)> result_;
};

template <class Message>
std::vector<std::string> World<Message>::options(int count, char** words, const std::vector<std::string>& own) {
  std::vector<std::string> rest;
  const std::map<std::string, unsigned*> numbers = {{"--losses", &budget.losses},
                                                    {"--duplicates", &budget.duplicates},
                                                    {"--crashes", &budget.crashes},
                                                    {"--reorders", &budget.reorders},
                                                    {"--timeouts", &budget.timeouts}};
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const bool is_option = word.compare(0, 2, "--") == 0, takes_value = numbers.count(word) || word == "--cut";
    if (word == "--fifo") {
      budget.fifo = true;
    } else if (!takes_value) {
      if (is_option && std::find(own.begin(), own.end(), word) == own.end()) complaint_ = "there is no option " + word;
      rest.push_back(word);
    } else {
      const std::string value = i + 1 < count ? words[++i] : "";
      const std::size_t equals = std::min(value.find('='), value.size());
      const std::string left = value.substr(0, equals), right = value.substr(std::min(equals + 1, value.size()));
      const bool of_one = word == "--timeouts" && equals < value.size();
      const std::string& digits = of_one ? right : value;
      if (word == "--cut")
        budget.cut.emplace_back(left, right);
      else if (digits.empty() || digits.size() > 6 || digits.find_first_not_of("0123456789") != std::string::npos)
        complaint_ = word + " needs a number";
      else
        (of_one ? budget.its_timeouts[left] : *numbers.at(word)) = static_cast<unsigned>(std::stoul(digits));
    }
  }
  return rest;
}

template <class Message>
int World<Message>::serve() {
  runtime::Hello hello;
  hello.name = name_;
  hello.actors = names_;
  hello.relations = R"({"must":{"or":[{"link":["id","cause"]},{"second":{"kind":"quiet"}},{"same":"channel"}]},)"
                    R"("interferes":{"or":[{"and":["same-actor",{"not":{"both":{"kind":"lose"}}}]},{"same":"message"},)"
                    R"({"same":"budget"}]},"enables":{"and":["same-actor",{"first":{"kind":"restart"}}]}})";
  try {
    runtime::Link link(hello);
    detail::Memory memory;
    try {
      if (!complaint_.empty()) throw std::runtime_error(complaint_);
      if (budget.fifo && budget.reorders > 0 && budget.losses > 0)
        throw std::runtime_error("on a network with fifo, messages can overtake others or be lost, but not both");
      for (const auto& one : budget.its_timeouts) index_of(one.first);
      for (const std::string& one : budget.may_crash) index_of(one);
      for (const auto& one : budget.cut) index_of(one.first), index_of(one.second);
      while (link.next()) detail::Run<Message>(*this, link, memory).go();
    } catch (const std::exception& error) {
      link.error(error.what());
      return 1;
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name_.c_str(), error.what());
    return 2;
  }
}

}  // namespace sim
}  // namespace plait

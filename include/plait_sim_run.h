// Runs of worlds: a part of plait_sim.h, which is what to include.
// Long because all of it is templates over the type of messages, in few files that people copy into their project.
#pragma once
#include <plait_runtime.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_set>

namespace plait {
namespace sim {

template <class Message>
class AnyActor;
template <class Message>
class Context;
template <class Message>
class States;
template <class Message>
class World;

/// What may go wrong, and how often in one run.
struct Budget {
  unsigned losses = 0, duplicates = 0, crashes = 0;
  bool fifo = false;                                          // messages from one actor to another arrive in order ...
  unsigned reorders = 0;                                      // ... but for so many that overtake others
  unsigned timeouts = 1;                                      // of each actor
  std::map<std::string, unsigned> its_timeouts = {};          // of these
  std::vector<std::string> may_crash = {};                    // empty: all of them
  std::vector<std::pair<std::string, std::string>> cut = {};  // these two do not hear each other
};

namespace detail {

/// What actors have seen of each other: for each actor, how many of its events.
using Clock = std::vector<unsigned>;

/// A message on its way.
template <class Message>
struct Envelope {
  std::size_t from, to;
  std::string name;   // "a>b#2": the second message from a to b
  std::string cause;  // the id of the event that sent it; empty: the start
  Message message;
  Clock clock;        // of the sender, which has just sent it
  unsigned identity;  // by what its sender has done so far: the same in all runs in which that is the same
  std::size_t index;  // of all that were sent in this run
  bool is_copy = false;
};

struct Timer {
  std::string name, id, cause;
  unsigned identity;
};

/// Again: once more what has been received. Early: it overtakes older ones of its channel. Skipping: those are lost.
enum class Kind : unsigned { Deliver, Again, Early, Skipping, Timer, Crash, Restart, Quiet };

/// Something that can happen next. Does not change when something else happens.
template <class Message>
struct Choice {
  Kind kind;
  std::size_t actor;
  bool has_to;  // in the end, unless something prevents it
  std::shared_ptr<const Envelope<Message>> letter = nullptr;
  std::shared_ptr<const Timer> timer = nullptr;
  unsigned number = 0;                                              // of crashes so far
  std::vector<std::shared_ptr<const Envelope<Message>>> lost = {};  // Quiet: these never come
  bool operator==(const Choice& other) const {
    return kind == other.kind && actor == other.actor && letter == other.letter && timer == other.timer &&
           number == other.number && lost == other.lost;
  }
};

/// What is known from one run to the next: local histories by number, descriptions, and what was checked already.
class Memory {
 public:
  struct Key {
    unsigned a, b, c;
    bool operator==(const Key& other) const { return a == other.a && b == other.b && c == other.c; }
  };
  /// The history that ends with this event, or another thing that follows from a history.
  unsigned number(const Key& key) {
    return numbers_.emplace(key, static_cast<unsigned>(numbers_.size()) + 1).first->second;
  }
  /// Only what has passed is noted: whatever fails does so in every run.
  bool has_passed(const std::string& key) const { return checked_.count(key); }
  void passes(std::string key) {
    if (checked_.size() > kMost) checked_.clear();
    checked_.insert(std::move(key));
  }
  std::unordered_map<std::uint64_t, long> described;  // by kind and identity: its number in the protocol

 private:
  static constexpr std::size_t kMost = 1u << 20;
  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::uint64_t x = (std::uint64_t{key.a} << 32 | key.b) * 0x9e3779b97f4a7c15u + key.c;
      x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
      return static_cast<std::size_t>(x ^ x >> 32);
    }
  };
  std::unordered_map<Key, unsigned, Hash> numbers_;
  std::unordered_set<std::string> checked_;
};

/// One run of a world.
template <class Message>
class Run {
 public:
  Run(const World<Message>& world, runtime::Link& link, Memory& memory)
      : world_(world), link_(link), memory_(memory), sent_(world.names_.size(), Clock(world.names_.size())) {
    for (const auto& actor : world.actors_) {
      Mailbox box;
      box.actor = actor->copy();
      box.clock.assign(world.names_.size(), 0);
      boxes_.push_back(std::move(box));
    }
  }

  void go() {
    runtime::End how;
    try {
      for (std::size_t a = 0; a < boxes_.size(); ++a)
        act(a, "", {0, 0, 0}, [](AnyActor<Message>& actor, Context<Message>& context) { actor.start(context); });
      for (std::size_t a = 0; a < boxes_.size(); ++a) note_state(a);
      for (std::size_t a = 0; a < boxes_.size(); ++a) drop_stale(a);
      choices_ = possible();
      check_cuts(0);
      how = perform_all();
    } catch (const runtime::Failure& failure) {
      how.status = "failed";
      how.message = failure.message;
      how.actor = failure.actor;
      for (const Choice<Message>& one : choices_) {
        if (one == last_ || one.kind == Kind::Quiet) continue;
        forget_missed(one);
        tell_pending(one);
      }
    }
    if (how.status == "complete" || how.status == "failed") {
      note_quiet();
      note_overtaking();
    }
    for (const auto& one : missed_) tell_alternative(one.first, one.second);
    if (how.status == "complete" && world_.result_) {
      how.has_result = true;
      how.result = world_.result_(states_at(last_positions()));
    }
    link_.end(how);
  }

 private:
  struct State {
    std::unique_ptr<AnyActor<Message>> actor;
    bool up, has_timer;
    Clock clock;
    long event;       // the one that led here: its index in the run
    unsigned losses;  // of messages to this actor, so far
  };
  struct Mailbox {
    std::unique_ptr<AnyActor<Message>> actor;
    bool up = true;
    Clock clock;
    unsigned history = 0, timeouts = 0, crashes = 0, losses = 0;
    std::vector<std::shared_ptr<const Timer>> timers;
    std::map<std::string, unsigned> timers_set;
    std::vector<State> states;
  };
  /// An event that did not have to happen, or would not have if its message had been lost.
  struct Extra {
    long event;
    Kind kind;
    std::size_t actor;
    unsigned position;
  };
  using Letter = std::shared_ptr<const Envelope<Message>>;
  using Choices = std::vector<Choice<Message>>;
  using Positions = std::vector<std::size_t>;
  static constexpr std::size_t kNever = ~std::size_t{0};

  const std::string& name(std::size_t actor) const { return world_.names_[actor]; }

  // ---- What can happen

  /// How many older ones there are on its channel.
  unsigned overtaken(std::size_t index) const {
    unsigned count = 0;
    for (std::size_t i = 0; i < index; ++i)
      count += network_[i]->from == network_[index]->from && network_[i]->to == network_[index]->to;
    return count;
  }

  unsigned timeouts_of(std::size_t actor) const {
    const auto own = world_.budget.its_timeouts.find(name(actor));
    return own == world_.budget.its_timeouts.end() ? world_.budget.timeouts : own->second;
  }

  bool may_crash(std::size_t actor) const {
    const std::vector<std::string>& some = world_.budget.may_crash;
    return used_.crashes < world_.budget.crashes && boxes_[actor].up &&
           (some.empty() || std::find(some.begin(), some.end(), name(actor)) != some.end());
  }

  void add_messages(Choices& choices) const {
    const Budget& budget = world_.budget;
    for (std::size_t i = 0; i < network_.size(); ++i) {
      const Letter& one = network_[i];
      if (!boxes_[one->to].up) continue;
      const unsigned older = budget.fifo ? overtaken(i) : 0;
      if (older == 0) choices.push_back({Kind::Deliver, one->to, true, one});
      if (older > 0 && used_.reorders < budget.reorders) choices.push_back({Kind::Early, one->to, false, one});
      if (older > 0 && used_.losses + older <= budget.losses) choices.push_back({Kind::Skipping, one->to, false, one});
    }
    if (used_.duplicates < budget.duplicates)
      for (const Letter& one : copies_)
        if (boxes_[one->to].up) choices.push_back({Kind::Again, one->to, false, one});
  }

  Choices possible() const {
    Choices choices;
    if (quiet_) return choices;
    add_messages(choices);
    for (std::size_t a = 0; a < boxes_.size(); ++a) {
      if (!boxes_[a].up) choices.push_back({Kind::Restart, a, true, nullptr, nullptr, boxes_[a].crashes});
      if (boxes_[a].timeouts < timeouts_of(a))
        for (const auto& timer : boxes_[a].timers) choices.push_back({Kind::Timer, a, true, nullptr, timer});
      if (may_crash(a)) choices.push_back({Kind::Crash, a, false, nullptr, nullptr, boxes_[a].crashes + 1});
    }
    if (std::none_of(choices.begin(), choices.end(), [](const auto& one) { return one.has_to; }))
      choices.push_back({Kind::Quiet, 0, true});
    return choices;
  }

  // ---- How Plait is told

  std::string id_of(const Choice<Message>& choice) const {
    const std::string number = "#" + std::to_string(choice.number);
    switch (choice.kind) {
      case Kind::Deliver: return choice.letter->name;
      case Kind::Again: return choice.letter->name + " again";
      case Kind::Early: return choice.letter->name + " early";
      case Kind::Skipping: return choice.letter->name + " skipping";
      case Kind::Timer: return choice.timer->id;
      case Kind::Crash: return name(choice.actor) + " crash" + number;
      case Kind::Restart: return name(choice.actor) + " restart" + number;
      case Kind::Quiet: break;
    }
    std::string id = "quiet";
    for (const Letter& one : choice.lost) id += (&one == &choice.lost.front() ? " without " : ", ") + one->name;
    return id;
  }

  runtime::Event received(const Choice<Message>& choice, const char* budget, const char* tail) const {
    const Envelope<Message>& one = *choice.letter;
    runtime::Event event(name(one.to), "deliver");
    event.id(id_of(choice));
    if (!one.cause.empty()) event.set("cause", one.cause);
    if (*budget) event.set("budget", budget);
    if (world_.budget.fifo && (choice.kind == Kind::Deliver || choice.kind == Kind::Skipping))
      event.set("channel", name(one.from) + ">" + name(one.to));
    event.label("receives '" + one.message.text() + "' from " + name(one.from) + tail);
    return event;
  }

  runtime::Event described(const Choice<Message>& choice) const {
    const std::string &who = name(choice.actor), id = id_of(choice);
    switch (choice.kind) {
      case Kind::Deliver: return received(choice, "", "");
      case Kind::Again: return received(choice, "duplicates", " again");
      case Kind::Early: return received(choice, "reorders", ", which has overtaken others");
      case Kind::Skipping: return received(choice, "losses", "; older ones are lost");
      case Kind::Timer: {
        runtime::Event event(who, "timer");
        event.id(id).label("timer '" + choice.timer->name + "' fires");
        if (!choice.timer->cause.empty()) event.set("cause", choice.timer->cause);
        return event;
      }
      case Kind::Crash: return runtime::Event(who, "crash").id(id).set("budget", "crashes").label("crashes");
      case Kind::Restart: {
        const std::string crash = who + " crash#" + std::to_string(choice.number);
        return runtime::Event(who, "restart").id(id).set("cause", crash).label("restarts");
      }
      case Kind::Quiet: break;
    }
    std::string text;
    for (const Letter& one : choice.lost)
      text += (text.empty() ? "loses '" : ", '") + one->message.text() + "' from " + name(one->from) + " to " +
              name(one->to);
    return runtime::Event("network", "quiet").id(id).label(text.empty() ? "nothing is on its way any more" : text);
  }

  /// Again follows from the event that received it first.
  unsigned identity(const Choice<Message>& choice) const {
    if (choice.letter) return choice.letter->identity;
    if (choice.timer) return choice.timer->identity;
    return static_cast<unsigned>(choice.actor) << 16 | choice.number;
  }

  /// As a number if it was described before: `by_number` or `in_full` add it to what is sent.
  template <class ByNumber, class InFull>
  void tell(const Choice<Message>& choice, const ByNumber& by_number, const InFull& in_full) {
    const std::uint64_t key = std::uint64_t{static_cast<unsigned>(choice.kind)} << 32 | identity(choice);
    const auto known = memory_.described.find(key);
    if (known != memory_.described.end() && choice.lost.empty()) return by_number(known->second);
    const long number = in_full(described(choice));
    if (choice.lost.empty()) memory_.described.emplace(key, number);
  }
  void tell_event(const Choice<Message>& choice) {
    tell(
        choice, [&](long number) { link_.event(number); },
        [&](const runtime::Event& event) { return link_.event(event, event.name()); });
  }
  void tell_pending(const Choice<Message>& choice) {
    tell(
        choice, [&](long number) { link_.pending(number); },
        [&](const runtime::Event& event) { return link_.pending(event, event.name()); });
  }
  void tell_alternative(long at, const Choice<Message>& choice) {
    tell(
        choice, [&](long number) { link_.alternative(at, number); },
        [&](const runtime::Event& event) { return link_.alternative(at, event); });
  }

  // ---- Runs

  runtime::End perform_all() {
    while (!choices_.empty()) {
      const std::size_t index = static_cast<std::size_t>(link_.events());
      if (link_.events() >= link_.most_events) return ended("limit");
      const bool follows = index < link_.seed.size();
      if (follows) offer_losses(link_.seed[index].id);
      const auto chosen = std::find_if(choices_.begin(), choices_.end(), [&](const Choice<Message>& one) {
        return follows ? id_of(one) == link_.seed[index].id : one.has_to;
      });
      if (chosen == choices_.end()) return ended("diverged");
      last_ = *chosen;
      tell_event(last_);
      forget_missed(last_);
      perform(last_);
      Choices now = possible();
      note_missed(now);
      choices_ = std::move(now);
      if (!quiet_) check_cuts(last_.actor);
    }
    return ended(static_cast<std::size_t>(link_.events()) < link_.seed.size() ? "diverged" : "complete");
  }

  runtime::End ended(const char* status) const {
    runtime::End how;
    how.status = status;
    how.at = link_.events();
    return how;
  }

  void forget_missed(const Choice<Message>& choice) {
    const auto same = [&](const auto& one) { return one.second == choice; };
    missed_.erase(std::remove_if(missed_.begin(), missed_.end(), same), missed_.end());
  }

  /// What was possible and is not any more could have come in the place of the last event. (drop_stale looks after
  /// messages that are stale.)
  void note_missed(const Choices& now) {
    for (const Choice<Message>& one : now) forget_missed(one);
    for (const Choice<Message>& one : choices_) {
      if (one == last_ || one.kind == Kind::Quiet || std::find(now.begin(), now.end(), one) != now.end()) continue;
      const auto same = [&](const auto& other) { return other.second == one; };
      if (std::none_of(missed_.begin(), missed_.end(), same)) missed_.emplace_back(link_.events() - 1, one);
    }
  }

  /// A message that is lost is one that never comes: until then, it might only be late. So to lose some is to be quiet
  /// without them. Nobody is so by himself: such an end is an alternative (below), and comes when it is asked for.
  void offer_losses(const std::string& id) {
    if (id.compare(0, 14, "quiet without ") != 0) return;
    Choice<Message> choice{Kind::Quiet, 0, false};
    if (rests(last_positions(), choice.lost) && id_of(choice) == id) choices_.push_back(choice);
  }

  /// What need not happen, or may be lost, could also have been left out. Then quiet may have come instead of it: when
  /// all is done that does not follow from it.
  void note_quiet() {
    for (const Extra& extra : extras_) {
      Positions at = last_positions();
      for (const Extra& other : extras_)
        if (other.event == extra.event || (other.event > extra.event && shares_budget(other.kind, extra.kind)))
          leave_out(other, at);
      Choice<Message> choice{Kind::Quiet, 0, true};
      if (rests(at, choice.lost)) missed_.emplace_back(extra.event, choice);
    }
  }

  static bool shares_budget(Kind a, Kind b) { return a == b && a != Kind::Deliver; }

  void leave_out(const Extra& extra, Positions& at) const {
    for (std::size_t a = 0; a < at.size(); ++a)
      while (boxes_[a].states[at[a]].clock[extra.actor] >= extra.position) --at[a];
  }

  /// A message could have overtaken an older one that arrived before it was sent, if its sender did not know that.
  void note_overtaking() {
    if (!world_.budget.fifo || (world_.budget.reorders == 0 && world_.budget.losses == 0)) return;
    for (const Letter& letter : letters_) {
      std::size_t last = 0;
      for (const Letter& older : letters_)
        if (older->index < letter->index && older->from == letter->from && older->to == letter->to &&
            gone_at_[older->index] != kNever && gone_at_[older->index] > letter->clock[letter->to])
          last = std::max(last, gone_at_[older->index]);
      if (last == 0 || gone_at_[letter->index] <= last) continue;
      for (const Kind kind : {Kind::Early, Kind::Skipping}) {
        if ((kind == Kind::Early ? world_.budget.reorders : world_.budget.losses) == 0) continue;
        const Choice<Message> choice{kind, letter->to, false, letter};
        if (std::find(choices_.begin(), choices_.end(), choice) != choices_.end()) continue;  // pending
        forget_missed(choice);
        missed_.emplace_back(boxes_[letter->to].states[last].event, choice);
      }
    }
  }

  void take_off(const Letter& letter) {
    network_.erase(std::find(network_.begin(), network_.end(), letter));
    gone_at_[letter->index] = boxes_[letter->to].states.size();
  }

  void perform(const Choice<Message>& choice) {
    Mailbox& box = boxes_[choice.actor];
    switch (choice.kind) {
      case Kind::Quiet: quiet_ = true; return require(world_.at_rest_, last_positions());
      case Kind::Early: ++used_.reorders; break;
      case Kind::Again: ++used_.duplicates; break;
      case Kind::Skipping: lose_older(choice.letter); break;
      case Kind::Timer:
        ++box.timeouts;
        box.timers.erase(std::find(box.timers.begin(), box.timers.end(), choice.timer));
        break;
      case Kind::Crash:
        ++used_.crashes, ++box.crashes;
        box.up = false;
        box.timers.clear();
        break;
      case Kind::Restart: box.up = true; break;
      case Kind::Deliver: break;
    }
    if (choice.letter) receive(choice);
    const Memory::Key key{box.history, static_cast<unsigned>(choice.kind), identity(choice)};
    act(choice.actor, id_of(choice), key, [&](AnyActor<Message>& actor, Context<Message>& context) {
      if (choice.letter) actor.receive(context, name(choice.letter->from), choice.letter->message);
      if (choice.kind == Kind::Timer) actor.timeout(context, choice.timer->name);
      if (choice.kind == Kind::Crash) actor.crash();
      if (choice.kind == Kind::Restart) actor.restart(context);
    });
    note_state(choice.actor);
    const bool could_be_lost = choice.letter && world_.budget.losses > 0 && !world_.at_rest_.empty();
    if (!choice.has_to || could_be_lost)
      extras_.push_back({link_.events() - 1, choice.kind, choice.actor, box.clock[choice.actor]});
    for (std::size_t other = 0; other < boxes_.size(); ++other) drop_stale(other);
  }

  void lose_older(const Letter& letter) {
    for (std::size_t i = 0; network_[i] != letter;) {
      const Letter older = network_[i];
      if (older->from != letter->from || older->to != letter->to) {
        ++i;
        continue;
      }
      take_off(older);
      ++used_.losses, ++boxes_[letter->to].losses;
    }
  }

  /// The message is off the network, or its copy; what its sender knew is known.
  void receive(const Choice<Message>& choice) {
    const Letter letter = choice.letter;
    Clock& clock = boxes_[letter->to].clock;
    for (std::size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], letter->clock[i]);
    if (choice.kind == Kind::Again) {
      copies_.erase(std::find(copies_.begin(), copies_.end(), letter));
      return;
    }
    take_off(letter);
    if (world_.budget.duplicates == 0) return;
    Envelope<Message> copy = *letter;
    copy.is_copy = true;
    copy.cause = id_of(choice);
    const unsigned kind = static_cast<unsigned>(choice.kind);
    copy.identity = memory_.number({boxes_[letter->to].history, kind, ~letter->identity});
    copies_.push_back(std::make_shared<const Envelope<Message>>(std::move(copy)));
  }

  /// A step of an actor, and what follows from it. The key stands for its history with this step.
  template <class Step>
  void act(std::size_t a, const std::string& id, const Memory::Key& key, const Step& step) {
    Mailbox& box = boxes_[a];
    Context<Message> context(name(a));
    step(*box.actor, context);
    if (!id.empty()) ++box.clock[a];
    box.history = id.empty() ? static_cast<unsigned>(a) : memory_.number(key) + static_cast<unsigned>(boxes_.size());
    unsigned count = 0;
    for (auto& one : context.sends_) {
      const std::size_t to = world_.index_of(one.first);
      if (is_cut(a, to)) continue;
      const std::string its_name = name(a) + ">" + one.first + "#" + std::to_string(++sent_[a][to]);
      const unsigned its_identity = memory_.number({box.history, kSends, count++});
      network_.push_back(std::make_shared<const Envelope<Message>>(
          Envelope<Message>{a, to, its_name, id, std::move(one.second), box.clock, its_identity, letters_.size()}));
      letters_.push_back(network_.back());
      gone_at_.push_back(kNever);
    }
    for (const auto& one : context.timers_) {
      const auto same = [&](const auto& timer) { return timer->name == one.first; };
      box.timers.erase(std::remove_if(box.timers.begin(), box.timers.end(), same), box.timers.end());
      if (!one.second) continue;
      const std::string number = std::to_string(++box.timers_set[one.first]);
      const unsigned its_identity = memory_.number({box.history, kSends, count++});
      box.timers.push_back(
          std::make_shared<const Timer>(Timer{one.first, name(a) + " " + one.first + "#" + number, id, its_identity}));
    }
  }

  bool is_cut(std::size_t a, std::size_t b) const {
    const auto between = [&](const auto& one) {
      return (one.first == name(a) && one.second == name(b)) || (one.first == name(b) && one.second == name(a));
    };
    return std::any_of(world_.budget.cut.begin(), world_.budget.cut.end(), between);
  }

  void note_state(std::size_t a) {
    Mailbox& box = boxes_[a];
    const bool has_timer = !box.timers.empty() && box.timeouts < timeouts_of(a);
    box.states.push_back({box.actor->copy(), box.up, has_timer, box.clock, link_.events() - 1, box.losses});
  }

  // ---- Messages that are ignored

  bool is_stale(const AnyActor<Message>& actor, const Envelope<Message>& letter) const {
    return !world_.budget.fifo && actor.stale(name(letter.from), letter.message);
  }

  void drop_stale(std::size_t a) {
    if (!boxes_[a].up) return;
    for (const Letter& one : stale_)
      if (one->to == a) require_ignored(*one);
    for (std::vector<Letter>* letters : {&network_, &copies_})
      for (std::size_t i = 0; i < letters->size();) {
        const Letter letter = (*letters)[i];
        if (letter->to != a || !is_stale(*boxes_[a].actor, *letter)) {
          ++i;
          continue;
        }
        require_ignored(*letter);
        letters->erase(letters->begin() + static_cast<std::ptrdiff_t>(i));
        stale_.push_back(letter);
        if (!letter->is_copy) note_earlier(letter);
      }
  }

  /// The message may have been sent when it was too late already, though its sender did not know that. So the event
  /// that made it stale is looked for in what the receiver has done since the sender last heard of it.
  void note_earlier(const Letter& letter) {
    const std::vector<State>& states = boxes_[letter->to].states;
    for (std::size_t p = states.size(); p-- > letter->clock[letter->to];) {
      if (!states[p].up || is_stale(*states[p].actor, *letter)) continue;
      const Choice<Message> choice{Kind::Deliver, letter->to, true, letter};
      forget_missed(choice);
      missed_.emplace_back(states[p + 1].event, choice);
      return;
    }
  }

  void require_ignored(const Envelope<Message>& one) {
    const Mailbox& box = boxes_[one.to];
    std::string key = "s";
    append(key, box.history);
    append(key, one.identity);
    if (memory_.has_passed(key)) return;
    const std::unique_ptr<AnyActor<Message>> copy = box.actor->copy();
    Context<Message> context(name(one.to));
    bool ignored = copy->stale(name(one.from), one.message);
    try {
      copy->receive(context, name(one.from), one.message);
      ignored = ignored && context.sends_.empty() && context.timers_.empty() && copy->same_as(*box.actor);
    } catch (const runtime::Failure&) {
      ignored = false;
    }
    if (!ignored)
      throw std::runtime_error("stale() of " + name(one.to) + " said that it ignores '" + one.message.text() +
                               "' from " + name(one.from) + " for ever, but it does not");
    memory_.passes(std::move(key));
  }

  // ---- States

  static void append(std::string& key, unsigned number) {
    key.append(reinterpret_cast<const char*>(&number), sizeof number);
  }

  Positions last_positions() const {
    Positions positions;
    for (const Mailbox& box : boxes_) positions.push_back(box.states.size() - 1);
    return positions;
  }

  States<Message> states_at(const Positions& positions) const {
    States<Message> states(world_);
    for (std::size_t a = 0; a < positions.size(); ++a) {
      states.actors_.push_back(boxes_[a].states[positions[a]].actor.get());
      states.up_.push_back(boxes_[a].states[positions[a]].up);
    }
    return states;
  }

  using Tests = std::vector<std::pair<std::string, std::function<bool(const States<Message>&)>>>;
  void require(const Tests& tests, const Positions& positions) const {
    if (tests.empty()) return;
    const States<Message> states = states_at(positions);
    for (const auto& test : tests)
      if (!test.second(states)) throw runtime::Failure{test.first, "", "", "", 0};
  }

  /// Is there nothing more to come in this state, but for messages that may be lost?
  bool rests(const Positions& at, std::vector<Letter>& lost) const {
    std::size_t losses = 0;
    for (std::size_t a = 0; a < at.size(); ++a) {
      const State& state = boxes_[a].states[at[a]];
      if (!state.up || state.has_timer) return false;
      losses += state.losses;
    }
    for (const Letter& one : letters_) {
      if (one->clock[one->from] > at[one->from] || gone_at_[one->index] <= at[one->to]) continue;
      if (is_stale(*boxes_[one->to].states[at[one->to]].actor, *one)) continue;
      lost.push_back(one);
      if (losses + lost.size() > world_.budget.losses) return false;
    }
    return true;
  }

  bool agree(std::size_t a, std::size_t b, const Positions& at) const {
    return boxes_[a].states[at[a]].clock[b] <= at[b] && boxes_[b].states[at[b]].clock[a] <= at[a];
  }

  /// All states of the system that are new with the last event of this actor: what the others have done may have
  /// happened or not, as far as nobody knows of it.
  void check_cuts(std::size_t actor) {
    if (world_.always_.empty()) return;
    std::string key = "c";
    append(key, static_cast<unsigned>(actor));
    for (const Mailbox& box : boxes_) append(key, box.history);
    if (memory_.has_passed(key)) return;
    Positions positions = last_positions();
    check_cuts(actor, 0, positions);
    memory_.passes(std::move(key));
  }

  void check_cuts(std::size_t actor, std::size_t next, Positions& positions) {
    if (next == positions.size()) return require(world_.always_, positions);
    if (next == actor) return check_cuts(actor, next + 1, positions);
    const std::size_t last = positions[next];
    for (std::size_t p = last + 1; p-- > boxes_[actor].clock[next];) {
      positions[next] = p;
      bool fits = agree(next, actor, positions);
      for (std::size_t before = 0; before < next && fits; ++before) fits = agree(next, before, positions);
      if (fits) check_cuts(actor, next + 1, positions);
    }
    positions[next] = last;
  }

  static constexpr unsigned kSends = ~0u;
  const World<Message>& world_;
  runtime::Link& link_;
  Memory& memory_;
  std::vector<Mailbox> boxes_;
  std::vector<Clock> sent_;           // messages, by sender and receiver
  std::vector<Letter> letters_;       // all that were sent
  std::vector<std::size_t> gone_at_;  // by index of the letter: its receiver's state that has received or lost it
  std::vector<Letter> network_, copies_, stale_;
  std::vector<Extra> extras_;
  Budget used_;
  bool quiet_ = false;
  Choices choices_;  // in front of the last event, or behind it
  Choice<Message> last_{Kind::Quiet, 0, false};
  std::vector<std::pair<long, Choice<Message>>> missed_;
};

}  // namespace detail
}  // namespace sim
}  // namespace plait

// Runtimes for Plait in C++17: write what your system can do, and Plait explores every order of it that matters.
// Long because one file without dependencies is what people copy into their project.
//
//   struct Counter : plait::runtime::System {              // two actors add 1 to a counter, each in two steps
//     int value, seen[2], steps[2];
//     void reset() override { value = 0; seen[0] = seen[1] = steps[0] = steps[1] = 0; }
//     void enabled(Events& events) override {
//       for (int i = 0; i < 2; ++i)
//         if (steps[i] < 2) events.add("actor" + std::to_string(i), steps[i] == 0 ? "read" :
//         "write").object("counter");
//     }
//     void perform(Event& event) override {
//       int i = event.actor().back() - '0';
//       if (steps[i]++ == 0) event.value(seen[i] = value); else event.value(value = seen[i] + 1);
//     }
//     void end() override { if (value != 2) fail("lost update"); }
//   };
//   int main() { Counter counter; return plait::runtime::serve(counter, "counter"); }
//
// and then: plait explore -- ./counter
//
// The protocol: docs/runtimes.md of Plait. No library is needed; this file is all of it. `serve` is the easy way;
// `Link`, which it is made of, is the quick one.
#pragma once
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace plait {
namespace runtime {

namespace detail {

/// A text as JSON has it.
inline void quote(std::string& out, const std::string& text) {
  static const char* const digits = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < ' ') {
      out += "\\u00";
      out += digits[c >> 4 & 15];
      out += digits[c & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

inline std::string quoted(const std::string& text) {
  std::string out;
  quote(out, text);
  return out;
}

/// Reads what Plait sends: objects, lists, texts, whole numbers.
class Parser {
 public:
  explicit Parser(const std::string& text) : at_(text.c_str()) {}

  bool next_is(char c) {
    skip_space();
    return *at_ == c;
  }
  bool take(char c) {
    if (!next_is(c)) return false;
    ++at_;
    return true;
  }
  void need(char c) {
    if (!take(c)) throw std::runtime_error(std::string("a message of Plait has no '") + c + "' where it should");
  }
  std::string text() {
    need('"');
    std::string result;
    for (; *at_ && *at_ != '"'; ++at_) {
      if (*at_ != '\\') {
        result += *at_;
        continue;
      }
      ++at_;
      if (*at_ == 'u')
        code_point(result);
      else
        result += *at_ == 'n'   ? '\n'
                  : *at_ == 't' ? '\t'
                  : *at_ == 'r' ? '\r'
                  : *at_ == 'b' ? '\b'
                  : *at_ == 'f' ? '\f'
                                : *at_;
    }
    need('"');
    return result;
  }
  long number() {
    skip_space();
    char* end = nullptr;
    const long value = std::strtol(at_, &end, 10);
    if (end == at_) throw std::runtime_error("a message of Plait has no number where it should");
    at_ = end;
    return value;
  }
  /// Whatever it is.
  void skip() {
    if (next_is('"')) {
      text();
    } else if (take('{')) {
      while (!take('}')) {
        text();
        need(':');
        skip();
        take(',');
      }
    } else if (take('[')) {
      while (!take(']')) {
        skip();
        take(',');
      }
    } else {
      while (*at_ && *at_ != ',' && *at_ != '}' && *at_ != ']') ++at_;
    }
  }

 private:
  void skip_space() {
    while (*at_ == ' ' || *at_ == '\t') ++at_;
  }
  /// Plait writes only control characters in this way.
  void code_point(std::string& result) {
    char digits[5] = {};
    for (int i = 0; i < 4 && at_[1]; ++i) digits[i] = *++at_;
    const unsigned long code = std::strtoul(digits, nullptr, 16);
    if (code < 0x80) {
      result += static_cast<char>(code);
    } else if (code < 0x800) {
      result += static_cast<char>(0xc0 | code >> 6);
      result += static_cast<char>(0x80 | (code & 63));
    } else {
      result += static_cast<char>(0xe0 | code >> 12);
      result += static_cast<char>(0x80 | (code >> 6 & 63));
      result += static_cast<char>(0x80 | (code & 63));
    }
  }
  const char* at_;
};

}  // namespace detail

/// Something that happens. All but actor and kind may be left out.
class Event {
 public:
  Event(std::string actor, const std::string& kind) : actor_(std::move(actor)), kind_(kind) {}
  /// Its name in seeds, if the actor could also do something else next.
  Event& id(std::string name) {
    id_ = std::move(name);
    return *this;
  }
  Event& object(const std::string& name) { return set("object", name); }
  Event& value(long number) { return set("value", number); }
  Event& value(const std::string& text) { return set("value", text); }
  Event& label(const std::string& text) { return set("label", text); }
  Event& place(const std::string& file, long line) { return set("file", file).set("line", line); }
  /// Attributes that relations can ask for.
  Event& set(const std::string& name, const std::string& text) { return raw(name, detail::quoted(text)); }
  Event& set(const std::string& name, const char* text) { return raw(name, detail::quoted(text)); }
  Event& set(const std::string& name, long number) { return raw(name, std::to_string(number)); }
  Event& set(const std::string& name, int number) { return raw(name, std::to_string(number)); }
  Event& set(const std::string& name, bool truth) { return raw(name, truth ? "true" : "false"); }

  const std::string& actor() const { return actor_; }
  const std::string& kind() const { return kind_; }
  /// For the runtime's own use: what is to be performed. Plait does not see it.
  Event& tag(std::uint64_t number) {
    tag_ = number;
    return *this;
  }
  std::uint64_t tag() const { return tag_; }

  const std::string& name() const { return id_; }
  std::string json() const {
    std::string text = "{\"actor\":" + detail::quoted(actor_) + ",\"kind\":" + detail::quoted(kind_);
    if (!id_.empty()) text += ",\"id\":" + detail::quoted(id_);
    for (const auto& one : attributes_) text += ",\"" + one.first + "\":" + one.second;
    return text + "}";
  }

 private:
  Event& raw(const std::string& name, const std::string& text) {
    for (auto& one : attributes_)
      if (one.first == name) {
        one.second = text;
        return *this;
      }
    attributes_.emplace_back(name, text);
    return *this;
  }

  std::string actor_, kind_, id_;
  std::vector<std::pair<std::string, std::string>> attributes_;
  std::uint64_t tag_ = 0;
};

/// What the runtime is, and how its events are related: JSON, as docs/runtimes.md says.
struct Hello {
  std::string name, version = "1";
  std::string relations;                 // {"must": ..., "interferes": ...}
  std::string operations;                // {"read": {"op": "load"}, ...}
  std::string initial;                   // {"x": 1}
  std::string main;                      // an actor that begins when all others have ended
  std::vector<std::string> actors = {};  // in the order of columns in reports; the others follow
};

/// How a run ended.
struct End {
  std::string status = "complete";  // blocked, failed, diverged, limit
  std::string message;              // of blocked, failed, diverged
  std::string actor, kind, file;    // of failed
  long line = 0;                    // likewise
  long at = 0;                      // of diverged: index in the seed
  bool has_result = false;
  std::string result;
};

/// The conversation with Plait. Events have numbers: each is described once.
class Link {
 public:
  explicit Link(const Hello& hello) {
    const char *in = std::getenv("PLAIT_RUNTIME_IN"), *out = std::getenv("PLAIT_RUNTIME_OUT");
    if (!in || !out) throw std::runtime_error("this is a runtime: plait explore starts it");
    in_ = std::atoi(in);
    out_ = std::atoi(out);
    // Whatever the program prints is not for Plait.
    if (out_ != 1) dup2(2, 1);
    if (std::FILE* nothing = in_ != 0 ? std::fopen("/dev/null", "r") : nullptr) {
      dup2(fileno(nothing), 0);
      std::fclose(nothing);
    }
    std::string line;
    if (!read_line(line)) std::exit(0);
    std::string text = "{\"type\":\"hello\",\"protocol\":1,\"numbers\":true,\"name\":" + detail::quoted(hello.name) +
                       ",\"version\":" + detail::quoted(hello.version);
    if (!hello.relations.empty()) text += ",\"relations\":" + hello.relations;
    if (!hello.operations.empty()) text += ",\"operations\":" + hello.operations;
    if (!hello.main.empty()) text += ",\"main\":" + detail::quoted(hello.main);
    if (!hello.initial.empty()) text += ",\"initial\":" + hello.initial;
    std::string names;
    for (const std::string& actor : hello.actors) names += (names.empty() ? "" : ",") + detail::quoted(actor);
    if (!names.empty()) text += ",\"actors\":[" + names + "]";
    out_text_ += text + "}\n";
    flush();
  }

  /// An entry of a seed: an event that this process has described, or only its name.
  struct Step {
    long number = -1;
    std::string id;
  };

  /// Waits for the next run. False: there is none, the process is to end.
  bool next() {
    for (;;) {
      std::string line;
      if (!read_line(line)) return false;
      seed.clear();
      std::string type;
      detail::Parser parser(line);
      parser.need('{');
      while (!parser.take('}')) {
        const std::string field = parser.text();
        parser.need(':');
        if (field == "type")
          type = parser.text();
        else if (field == "run")
          run_ = parser.number();
        else if (field == "seed")
          read_seed(parser);
        else if (field == "limits")
          read_limits(parser);
        else
          parser.skip();
        parser.take(',');
      }
      if (type == "quit") return false;
      if (type == "run") break;
    }
    events_.clear();
    pending_.clear();
    alternatives_.clear();
    count_ = 0;
    return true;
  }

  std::vector<Step> seed;
  long most_events = 1000000;

  /// Adds to the run. The name is that of seeds: ACTOR:K, or the event's own id. Returns the number that stands for it
  /// from now on. All events come first, then the pending ones, then the alternatives.
  long event(const Event& event, const std::string& name) {
    ++count_;
    return add(events_, event, name);
  }
  void event(long number) {
    ++count_;
    add(events_, number);
  }
  long pending(const Event& event, const std::string& name) { return add(pending_, event, name); }
  void pending(long number) { add(pending_, number); }
  long alternative(long at, const Event& event) {
    begin_alternative(at);
    std::string one;
    const long number = add(one, event, event.name());
    alternatives_ += one + "}";
    return number;
  }
  void alternative(long at, long number) {
    begin_alternative(at);
    alternatives_ += std::to_string(number) + "}";
  }
  long events() const { return count_; }
  /// The name of a number that a seed has.
  const std::string& name_of(long number) const { return names_.at(static_cast<std::size_t>(number)); }
  /// How many events have been described: the next one has this number.
  long described() const { return static_cast<long>(names_.size()); }

  void end(const End& how) {
    out_text_ +=
        "{\"type\":\"end\",\"run\":" + std::to_string(run_) + ",\"status\":\"" + how.status + "\",\"events\":[";
    out_text_ += events_ + "]";
    if (!pending_.empty()) out_text_ += ",\"pending\":[" + pending_ + "]";
    if (!alternatives_.empty()) out_text_ += ",\"alternatives\":[" + alternatives_ + "]";
    if (how.has_result) out_text_ += ",\"result\":" + detail::quoted(how.result);
    if (how.status == "failed") {
      out_text_ += ",\"failure\":{\"message\":" + detail::quoted(how.message);
      if (!how.kind.empty()) out_text_ += ",\"kind\":" + detail::quoted(how.kind);
      if (!how.actor.empty()) out_text_ += ",\"actor\":" + detail::quoted(how.actor);
      if (!how.file.empty())
        out_text_ += ",\"file\":" + detail::quoted(how.file) + ",\"line\":" + std::to_string(how.line);
      out_text_ += "}";
    } else if (!how.message.empty()) {
      out_text_ += ",\"message\":" + detail::quoted(how.message);
    }
    if (how.status == "diverged") out_text_ += ",\"at\":" + std::to_string(how.at);
    out_text_ += "}\n";
    if (read_ == in_text_.size() || out_text_.size() > 32768) flush();
  }

  /// It cannot go on.
  void error(const std::string& message) {
    out_text_ += "{\"type\":\"error\",\"message\":" + detail::quoted(message) + "}\n";
    flush();
  }

 private:
  long add(std::string& list, const Event& event, const std::string& name) {
    const std::string text = event.json();
    const auto fresh = numbers_.emplace(name + "\n" + text, static_cast<long>(names_.size()));
    const long number = fresh.first->second;
    if (!fresh.second) {
      add(list, number);
      return number;
    }
    if (!list.empty()) list += ',';
    list += text;
    names_.push_back(name);
    return number;
  }
  static void add(std::string& list, long number) {
    if (!list.empty()) list += ',';
    list += std::to_string(number);
  }
  void begin_alternative(long at) {
    if (!alternatives_.empty()) alternatives_ += ',';
    alternatives_ += "{\"at\":" + std::to_string(at) + ",\"event\":";
  }

  void read_seed(detail::Parser& parser) {
    parser.need('[');
    while (!parser.take(']')) {
      Step step;
      if (parser.next_is('"')) {
        step.id = parser.text();
      } else {
        step.number = parser.number();
        step.id = name_of(step.number);
      }
      seed.push_back(std::move(step));
      parser.take(',');
    }
  }

  void read_limits(detail::Parser& parser) {
    parser.need('{');
    while (!parser.take('}')) {
      const std::string field = parser.text();
      parser.need(':');
      if (field == "events")
        most_events = parser.number();
      else
        parser.skip();
      parser.take(',');
    }
  }

  bool read_line(std::string& line) {
    for (;;) {
      const std::size_t end = in_text_.find('\n', read_);
      if (end != std::string::npos) {
        line.assign(in_text_, read_, end - read_);
        read_ = end + 1;
        return true;
      }
      in_text_.erase(0, read_);
      read_ = 0;
      flush();
      char buffer[65536];
      const ssize_t got = ::read(in_, buffer, sizeof buffer);
      if (got <= 0) return false;
      in_text_.append(buffer, static_cast<std::size_t>(got));
    }
  }

  void flush() {
    std::size_t sent = 0;
    while (sent < out_text_.size()) {
      const ssize_t done = ::write(out_, out_text_.data() + sent, out_text_.size() - sent);
      if (done <= 0) std::exit(0);  // Plait is gone
      sent += static_cast<std::size_t>(done);
    }
    out_text_.clear();
  }

  int in_ = 0, out_ = 1;
  std::string in_text_, out_text_, events_, pending_, alternatives_;
  std::size_t read_ = 0;
  long run_ = 0, count_ = 0;
  std::unordered_map<std::string, long> numbers_;
  std::vector<std::string> names_;
};

/// The events that could be performed next.
class Events {
 public:
  Event& add(std::string actor, const std::string& kind) {
    all.emplace_back(std::move(actor), kind);
    return all.back();
  }
  std::vector<Event> all;
};

/// Thrown by System::fail.
struct Failure {
  std::string message, actor, kind, file;
  long line;
};

/// What is explored. An actor has one next event, or several with ids of their own.
class System {
 public:
  using Event = runtime::Event;
  using Events = runtime::Events;
  virtual ~System() = default;
  /// Back to the beginning.
  virtual void reset() = 0;
  /// What can happen now. Nothing: the run has ended.
  virtual void enabled(Events& events) = 0;
  /// What actors wait for: events that are not possible now. If there are any when the run ends, that is a deadlock.
  virtual void waiting(Events& events) { (void)events; }
  /// One of the enabled ones. It may add to it what the actor has received.
  virtual void perform(Event& event) = 0;
  /// The run has ended, without a deadlock.
  virtual void end() {}
  /// What came out, for --outcomes.
  virtual std::string result() { return ""; }

 protected:
  [[noreturn]] void fail(const std::string& message, const std::string& actor = "", const std::string& kind = "",
                         const std::string& file = "", long line = 0) {
    throw Failure{message, actor, kind, file, line};
  }
};

namespace detail {

/// One run of a system.
class Run {
 public:
  Run(System& system, Link& link) : system_(system), link_(link) {}

  void go() {
    End how;
    try {
      system_.reset();
      how = perform_all();
      if (how.status == "complete") system_.end();
    } catch (const Failure& failure) {
      how = End{"failed", failure.message, failure.actor, failure.kind, failure.file, failure.line, 0, false, ""};
    }
    if (how.status == "complete") how.result = system_.result(), how.has_result = !how.result.empty();
    if (how.status == "failed" || how.status == "blocked") add_pending();
    for (const auto& one : vanished_)
      if (!performed_.count(one.first)) link_.alternative(one.second.first, one.second.second);
    link_.end(how);
  }

 private:
  std::string name(const Event& event) {
    return event.name().empty() ? event.actor() + ":" + std::to_string(counts_[event.actor()]) : event.name();
  }

  /// The seed's next event; behind the seed, the running actor goes on if it can.
  std::size_t choose(const std::vector<Event>& events) {
    const std::size_t index = static_cast<std::size_t>(link_.events());
    for (std::size_t i = 0; i < events.size(); ++i)
      if (index < link_.seed.size() ? name(events[i]) == link_.seed[index].id : events[i].actor() == last_) return i;
    return index < link_.seed.size() ? events.size() : 0;
  }

  End perform_all() {
    for (;;) {
      Events events;
      system_.enabled(events);
      note_vanished(events.all);
      if (events.all.empty() && link_.events() >= static_cast<long>(link_.seed.size())) break;
      if (link_.events() >= link_.most_events) return End{"limit", "", "", "", "", 0, 0, false, ""};
      const std::size_t chosen = choose(events.all);
      if (chosen == events.all.size()) return End{"diverged", "", "", "", "", 0, link_.events(), false, ""};
      Event event = events.all[chosen];
      const std::string its_name = name(event);
      offered_ = std::move(events.all);
      last_ = event.actor();
      try {
        system_.perform(event);
      } catch (const Failure&) {
        count(event, its_name);
        throw;
      }
      count(event, its_name);
    }
    Events waiting;
    system_.waiting(waiting);
    return waiting.all.empty() ? End() : End{"blocked", "", "", "", "", 0, 0, false, ""};
  }

  void count(const Event& event, const std::string& its_name) {
    link_.event(event, its_name);
    performed_[its_name] = true;
    ++counts_[event.actor()];
  }

  /// Events that the last one made impossible: they could have been performed in its place.
  void note_vanished(const std::vector<Event>& now) {
    for (const Event& event : offered_)
      if (!event.name().empty()) vanished_.emplace(event.name(), std::make_pair(link_.events() - 1, event));
    for (const Event& event : now) vanished_.erase(event.name());
  }

  void add_pending() {
    Events events;
    system_.enabled(events);
    system_.waiting(events);
    for (const Event& event : events.all) {
      const std::string its_name = name(event);
      if (performed_.count(its_name)) continue;
      vanished_.erase(its_name);
      link_.pending(event, its_name);
    }
  }

  System& system_;
  Link& link_;
  std::string last_;
  std::vector<Event> offered_;
  std::map<std::string, long> counts_;  // by actor
  std::map<std::string, bool> performed_;
  std::map<std::string, std::pair<long, Event>> vanished_;
};

}  // namespace detail

/// Makes runs until Plait wants no more: the whole main function of a runtime.
inline int serve(System& system, const Hello& hello) {
  try {
    Link link(hello);
    while (link.next()) detail::Run(system, link).go();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", hello.name.c_str(), error.what());
    return 2;
  }
}
/// Actors keep their order, and events of the same object interfere unless both are reads.
inline int serve(System& system, const std::string& name) {
  Hello hello;
  hello.name = name;
  hello.relations = "{\"must\":\"same-actor\",\"interferes\":\"same-object-write\"}";
  hello.operations = "{\"read\":{\"op\":\"load\"},\"write\":{\"op\":\"store\"}}";
  return serve(system, hello);
}

}  // namespace runtime
}  // namespace plait

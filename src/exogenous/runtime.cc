#include "exogenous/runtime.h"

#include <fmt/format.h>

#include <iterator>

#include "base/error.h"

namespace plait::exogenous {

using nlohmann::json;

Runtime::Runtime(const RuntimeOptions& options, Catalogue& catalogue, const std::atomic<bool>& cancel)
    : options_(options), catalogue_(catalogue), cancel_(cancel) {
  try {
    start();
  } catch (const Lost& lost) {
    give_up(fmt::format("{} before its hello", lost.what()));
  }
}

void Runtime::give_up(const std::string& what) const {
  throw Error(kExitUsage, fmt::format("the runtime '{}': {}", options_.command.at(0), what));
}

void Runtime::start() {
  connection_ = std::make_unique<Connection>(options_.command, options_.timeout, cancel_);
  reader_ = std::make_unique<Reader>(catalogue_);
  sent_runs_ = answered_ = 0;
  connection_->send({{"type", "hello"}, {"protocol", kProtocol}, {"framings", {"lines", "cbor"}}});
  try {
    const json message = connection_->receive();
    if (message.value("type", json()) == "error") give_up(message.value("message", json("an error")).dump());
    hello_ = parse_hello(message);
  } catch (const std::invalid_argument& error) {
    give_up(fmt::format("its hello: {}", error.what()));
  }
  connection_->use(hello_.framing);
  for (const std::string& actor : hello_.actors) catalogue_.actor(actor);
}

void Runtime::ask(std::vector<Symbol> seed, u32 most_events) {
  asked_.push_back({std::move(seed), most_events});
  send(asked_.back());
}

void Runtime::send(const Asked& asked) {
  text_.clear();
  fmt::format_to(std::back_inserter(text_), R"({{"type":"run","run":{},"seed":[)", sent_runs_++);
  bool first = true;
  for (const Symbol id : asked.seed) {
    if (!std::exchange(first, false)) text_ += ',';
    const std::optional<u32> number = hello_.numbers ? reader_->number_of(id) : std::nullopt;
    if (number)
      fmt::format_to(std::back_inserter(text_), "{}", *number);
    else
      text_ += json(catalogue_.symbols.text(id)).dump(-1, ' ', false, json::error_handler_t::replace);
  }
  fmt::format_to(std::back_inserter(text_), R"(],"limits":{{"events":{}}}}})", asked.most_events);
  connection_->send_text(text_);
}

Execution Runtime::next() {
  for (;;) {
    try {
      Execution run = receive();
      second_try_ = false;
      asked_.pop_front();
      return run;
    } catch (const Lost& lost) {
      const std::string what =
          fmt::format("{} in the run that begins with {}", lost.what(), seed_text(asked_.front().seed));
      if (std::exchange(second_try_, true)) give_up(what + ", twice");
      ++restarts_;
      try {
        start();
      } catch (const Lost& again) {
        give_up(fmt::format("{}; started again, {} before its hello", what, again.what()));
      }
      for (const Asked& one : asked_) send(one);
    }
  }
}

Execution Runtime::receive() {
  Execution run;
  run.seed = asked_.front().seed;
  std::string type;  // as it is written in the message
  const auto place = [&] {
    return fmt::format("message {} ({}run {})", connection_->messages(),
                       type.empty() ? "" : fmt::format("type {}, ", type), answered_);
  };
  connection_->listen();
  try {
    for (bool ended = false; !ended;) {
      type.clear();
      const json message = connection_->receive();
      type = message.value("type", json("no type")).dump();
      if (type == "\"error\"") {
        const json text = message.value("message", json("an error"));
        give_up(text.is_string() ? text.get<std::string>() : text.dump());
      }
      if (const json number = message.value("run", json()); number != answered_)
        throw std::invalid_argument(fmt::format("run: it is about run {}, {} is under way", number.dump(), answered_));
      const size_t before = run.events.size();
      ended = reader_->take(message, run);
      if (ended || run.events.size() > before)
        connection_->listen();
      else
        connection_->check_silence();
      if (run.events.size() > options_.max_events + u64{1})
        throw std::invalid_argument(fmt::format("events: more than the limit of {}", options_.max_events));
    }
    check_follows(run);
    ++answered_;
  } catch (const std::invalid_argument& error) {
    give_up(fmt::format("{}: {}", place(), error.what()));
  } catch (const json::exception& error) {
    give_up(fmt::format("{}: {}", place(), error.what()));
  }
  return run;
}

void Runtime::check_follows(const Execution& run) const {
  const size_t followed = run.status == EndStatus::Diverged ? run.at : run.seed.size();
  if (run.status == EndStatus::Diverged && run.at >= run.seed.size())
    throw std::invalid_argument(fmt::format("at: the seed has {} events", run.seed.size()));
  const bool may_be_short = run.status == EndStatus::Failed || run.status == EndStatus::Limit;
  for (size_t i = 0; i < followed; ++i) {
    const std::string& wanted = catalogue_.symbols.text(run.seed[i]);
    if (i >= run.events.size()) {
      if (may_be_short) return;
      throw std::invalid_argument(
          fmt::format("the run does not follow its seed: it ends before event {}, '{}'", i, wanted));
    }
    const Symbol got = catalogue_[run.events[i]].id;
    if (got != run.seed[i])
      throw std::invalid_argument(fmt::format("the run does not follow its seed: event {} is '{}', the seed has '{}'",
                                              i, catalogue_.symbols.text(got), wanted));
  }
}

std::string Runtime::seed_text(const std::vector<Symbol>& seed) const {
  constexpr size_t kMost = 12;
  if (seed.empty()) return "nothing";
  std::string text;
  for (size_t i = 0; i < seed.size() && i < kMost; ++i)
    text += fmt::format("{}'{}'", i ? ", " : "", catalogue_.symbols.text(seed[i]));
  return text + (seed.size() > kMost ? fmt::format(" and {} more", seed.size() - kMost) : "");
}

}  // namespace plait::exogenous

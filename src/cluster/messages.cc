#include "cluster/messages.h"

#include <fmt/core.h>
#include <gnu/libc-version.h>
#include <sys/utsname.h>

#include <algorithm>

#include "base/error.h"
#include "cluster/seal.h"

namespace plait::cluster {
namespace {

constexpr int kVersion = 3;  // of the messages

Json choices_to_json(const std::vector<Choice>& choices) { return list_to_json(std::span<const Choice>(choices)); }

/// Of this content: no other one has it, but for a chance of one in 2^64.
u64 name_of(const std::vector<Touched>& touched) {
  const std::span bytes = std::as_bytes(std::span(touched));
  return std::stoull(content_hash({reinterpret_cast<const char*>(bytes.data()), bytes.size()}).substr(0, 16), nullptr,
                     16);
}

void require(bool good, const char* what) {
  if (!good) throw std::runtime_error(what);
}

}  // namespace

std::string compatibility() {
  utsname machine{};
  uname(&machine);
  return fmt::format("Plait {}, {}, glibc {}, messages {}.{}.{}.{}", PLAIT_VERSION, machine.machine,
                     gnu_get_libc_version(), kVersion, kSessionVersion, sizeof(Event), sizeof(Reply));
}

void throw_damaged(const char* what, const std::exception& error) {
  throw Error(kExitInternal, fmt::format("{} that came through Redis is damaged: {}", what, error.what()));
}

std::string to_bytes(const Json& json) {
  std::string bytes;
  Json::to_cbor(json, bytes);
  return bytes;
}

Json from_bytes(const std::string& bytes) {
  try {
    return Json::from_cbor(bytes);
  } catch (const std::exception& error) {
    throw_damaged("a message", error);
  }
}

Json text_to_json(std::string_view text) { return list_to_json(std::span(text.data(), text.size())); }

std::string text_from_json(const Json& json) {
  const auto& bytes = json.get_binary();
  return {bytes.begin(), bytes.end()};
}

Json visibility_to_json(const Visibility& v) {
  return {{"memory_model", static_cast<int>(v.memory_model)},
          {"strong", list_to_json(std::span<const StrongStore>(v.strong))},
          {"identities", list_to_json(std::span<const Identity>(v.identities))},
          {"shared", list_to_json(std::span<const Visibility::Range>(v.shared))},
          {"clock_matters", v.clock_matters},
          {"counts_turns", v.counts_turns},
          {"inputs", list_to_json(std::span<const InputVariable>(v.inputs))}};
}

Visibility visibility_from_json(const Json& json) {
  Visibility v;
  const int model = json.at("memory_model");
  require(model >= 0 && model < static_cast<int>(std::size(machine::kMemoryModels)), "a memory model");
  v.memory_model = static_cast<MemoryModel>(model);
  v.strong = list_from_json<StrongStore>(json.at("strong"));
  v.identities = list_from_json<Identity>(json.at("identities"));
  v.shared = list_from_json<Visibility::Range>(json.at("shared"));
  v.clock_matters = json.at("clock_matters");
  v.counts_turns = json.at("counts_turns");
  v.inputs = list_from_json<InputVariable>(json.at("inputs"));
  return v;
}

Json batch_to_json(const Batch& batch, u32 first) {
  std::vector<Request> requests;
  std::vector<Choice> choices;
  for (u32 i = first; i < batch.size(); ++i) {
    requests.push_back(batch.request(i));
    const std::span<const Choice> schedule = batch.schedule(i);
    choices.insert(choices.end(), schedule.begin(), schedule.end());
  }
  return {{"requests", list_to_json(std::span<const Request>(requests))}, {"choices", choices_to_json(choices)}};
}

Batch batch_from_json(const Json& json) {
  const auto requests = list_from_json<Request>(json.at("requests"));
  const auto choices = list_from_json<Choice>(json.at("choices"));
  Batch batch;
  size_t used = 0;
  for (const Request& request : requests) {
    require(request.choices <= choices.size() - used, "a schedule is cut off");
    require(batch.add(request, std::span(choices).subspan(used, request.choices)), "a batch is too large");
    used += request.choices;
  }
  return batch;
}

void Runs::add(const RunView& run) {
  Reply reply = *run.reply;
  reply.first_event = static_cast<u32>(events_.size());
  reply.events = static_cast<u32>(run.events.size());
  events_.insert(events_.end(), run.events.begin(), run.events.end());
  reply.output = static_cast<u32>(text_.size());
  reply.output_size = static_cast<u32>(run.output.size());
  text_ += run.output;
  reply.account = static_cast<u32>(text_.size());
  reply.account_size = static_cast<u32>(run.account.size());
  text_ += run.account;
  reply.first_more_failure = static_cast<u32>(failures_.size());
  reply.more_failures = static_cast<u32>(run.more_failures.size());
  failures_.insert(failures_.end(), run.more_failures.begin(), run.more_failures.end());
  replies_.push_back(reply);
  outgrown_.push_back(run.outgrown);
}

size_t Runs::bytes() const { return events_.size() * sizeof(Event) + text_.size() + replies_.size() * sizeof(Reply); }

RunView Runs::view(u32 index) const {
  const Reply& reply = replies_[index];
  const std::string_view text = text_;
  return {&reply,
          std::span(events_).subspan(reply.first_event, reply.events),
          text.substr(reply.output, reply.output_size),
          std::span(failures_).subspan(reply.first_more_failure, reply.more_failures),
          outgrown_[index] != 0,
          text.substr(reply.account, reply.account_size)};
}

Json Runs::to_json() const {
  return {{"replies", list_to_json(std::span<const Reply>(replies_))},
          {"outgrown", list_to_json(std::span<const u8>(outgrown_))},
          {"events", list_to_json(std::span<const Event>(events_))},
          {"failures", list_to_json(std::span<const Failure>(failures_))},
          {"text", text_to_json(text_)}};
}

Runs Runs::from_json(const Json& json) {
  Runs runs;
  runs.replies_ = list_from_json<Reply>(json.at("replies"));
  runs.outgrown_ = list_from_json<u8>(json.at("outgrown"));
  runs.events_ = list_from_json<Event>(json.at("events"));
  runs.failures_ = list_from_json<Failure>(json.at("failures"));
  runs.text_ = text_from_json(json.at("text"));
  require(runs.outgrown_.size() == runs.replies_.size(), "runs are missing");
  const auto within = [](u64 first, u64 size, u64 all) { return first <= all && size <= all - first; };
  for (Reply& reply : runs.replies_) {
    require(within(reply.first_event, reply.events, runs.events_.size()), "events are missing");
    require(within(reply.output, reply.output_size, runs.text_.size()), "an output is missing");
    require(within(reply.account, reply.account_size, runs.text_.size()), "an account is missing");
    require(within(reply.first_more_failure, reply.more_failures, runs.failures_.size()), "failures are missing");
    reply.failure.message[sizeof reply.failure.message - 1] = reply.opaque[sizeof reply.opaque - 1] = 0;
  }
  for (Failure& failure : runs.failures_) failure.message[sizeof failure.message - 1] = 0;
  return runs;
}

namespace {

Json witness_to_json(const Witness& witness) {
  return {{"choices", choices_to_json(witness.schedule.choices)},
          {"claim", value_to_json(witness.schedule.claim)},
          {"switches", witness.switches},
          {"points", witness.points},
          {"round", witness.round},
          {"sharing_grew", witness.sharing_grew}};
}

Witness witness_from_json(const Json& json) {
  return {{list_from_json<Choice>(json.at("choices")), value_from_json<Claim>(json.at("claim"))},
          json.at("switches"),
          json.at("points"),
          json.at("round"),
          json.at("sharing_grew")};
}

Json key_to_json(const BugKey& key) {
  return {{"kind", static_cast<int>(key.kind)},
          {"sites", list_to_json(std::span<const u32>(key.sites))},
          {"expectation", text_to_json(key.expectation)}};
}

BugKey key_from_json(const Json& json) {
  return {static_cast<FailureKind>(json.at("kind").get<int>()), list_from_json<u32>(json.at("sites")),
          text_from_json(json.at("expectation"))};
}

Failure failure_from_json(const Json& json) {
  Failure failure = value_from_json<Failure>(json);
  failure.message[sizeof failure.message - 1] = 0;
  return failure;
}

}  // namespace

Json findings_to_json(const Found& found) {
  Json bugs = Json::array(), ignored = Json::array(), outcomes = Json::array(), obstacles = Json::array(),
       unmerged = Json::array();
  for (const FoundBug& bug : found.bugs)
    bugs.push_back({{"failure", value_to_json(bug.failure)},
                    {"witness", witness_to_json(bug.witness)},
                    {"key", key_to_json(bug.key)}});
  for (const auto& [key, failure] : found.ignored)
    ignored.push_back({{"key", key_to_json(key)}, {"failure", value_to_json(failure)}});
  for (const FoundOutcome& outcome : found.outcomes)
    outcomes.push_back({{"output", text_to_json(outcome.output)}, {"witness", witness_to_json(outcome.witness)}});
  for (const auto& [line, site] : found.obstacles) obstacles.push_back({{"line", text_to_json(line)}, {"site", site}});
  for (const auto& [site, why] : found.unmerged) unmerged.push_back({{"site", site}, {"why", text_to_json(why)}});
  return {{"bugs", bugs},
          {"ignored", ignored},
          {"outcomes", outcomes},
          {"obstacles", obstacles},
          {"unmerged", unmerged},
          {"fallback", text_to_json(found.fallback.why)},
          {"every_interleaving", found.fallback.every_interleaving}};
}

Found findings_from_json(const Json& json) {
  Found found;
  for (const Json& bug : json.at("bugs"))
    found.bugs.push_back(
        {failure_from_json(bug.at("failure")), witness_from_json(bug.at("witness")), key_from_json(bug.at("key"))});
  for (const Json& one : json.at("ignored"))
    found.ignored.emplace_back(key_from_json(one.at("key")), failure_from_json(one.at("failure")));
  for (const Json& one : json.at("outcomes"))
    found.outcomes.push_back({text_from_json(one.at("output")), witness_from_json(one.at("witness"))});
  for (const Json& one : json.at("obstacles"))
    found.obstacles.emplace_back(text_from_json(one.at("line")), one.at("site").get<u32>());
  for (const Json& one : json.at("unmerged"))
    found.unmerged.emplace_back(one.at("site").get<u32>(), text_from_json(one.at("why")));
  found.fallback = {text_from_json(json.at("fallback")), json.at("every_interleaving")};
  return found;
}

Json news_to_json(SessionMemory& session, const std::vector<u64>& told) {
  const std::vector<Note> notes = session.notes();
  const std::vector<Touched> touched = session.touched();
  const u64 name = name_of(touched);
  const bool is_known = std::find(told.begin(), told.end(), name) != told.end();
  return {{"visibility", visibility_to_json(session.visibility())},
          {"notes", list_to_json(std::span<const Note>(notes))},
          {"inputs", session.session().inputs},
          {"touched", list_to_json(std::span(touched).first(is_known ? 0 : touched.size()))},
          {"touched_name", name}};
}

SessionNews news_from_json(const Json& json) {
  return {visibility_from_json(json.at("visibility")), list_from_json<Note>(json.at("notes")), json.at("inputs"),
          list_from_json<Touched>(json.at("touched")), json.at("touched_name")};
}

void take_over(SessionMemory& session, const SessionNews& news) {
  session.add(news.visibility, machine::rules_of(news.visibility.memory_model).most_threads());
  session.add(news.touched);
  session.add(news.notes);
  std::atomic_ref<u32>(session.session().inputs).fetch_or(news.inputs);
}

void take_over_threads(SessionMemory& session, const SessionNews& news) {
  Visibility threads;
  threads.memory_model = news.visibility.memory_model;
  threads.identities = news.visibility.identities;
  session.add(threads, machine::rules_of(threads.memory_model).most_threads());
}

namespace {

using Counter = std::atomic<u64> Counters::*;
constexpr std::pair<const char*, Counter> kSums[] = {{"executions", &Counters::executions},
                                                     {"blocked", &Counters::blocked},
                                                     {"interleavings", &Counters::interleavings},
                                                     {"events", &Counters::events},
                                                     {"limited", &Counters::limited},
                                                     {"restarts", &Counters::restarts},
                                                     {"histories", &Counters::histories},
                                                     {"merged", &Counters::merged},
                                                     {"alike", &Counters::alike},
                                                     {"classes", &Counters::classes},
                                                     {"states", &Counters::states},
                                                     {"queries", &Counters::queries},
                                                     {"sat", &Counters::sat},
                                                     {"unsat", &Counters::unsat},
                                                     {"unknown", &Counters::unknown},
                                                     {"reads", &Counters::reads},
                                                     {"constraints", &Counters::constraints},
                                                     {"solver_nanoseconds", &Counters::solver_nanoseconds}};

}  // namespace

Json counters_to_json(const Counters& counters) {
  Json json = Json::object();
  for (const auto& [name, counter] : kSums) json[name] = (counters.*counter).load();
  json["slowest"] = counters.slowest_query_nanoseconds.load();
  return json;
}

void add_counters(Counters& counters, const Json& json) {
  for (const auto& [name, counter] : kSums) (counters.*counter).fetch_add(json.at(name).get<u64>());
  std::atomic<u64>& slowest = counters.slowest_query_nanoseconds;
  const u64 other = json.at("slowest");
  u64 known = slowest.load();
  while (known < other && !slowest.compare_exchange_weak(known, other)) {
  }
}

Json options_to_json(const ExploreOptions& o) {
  return {{"keep_going", o.keep_going},
          {"sleep_sets", o.sleep_sets},
          {"self_check", o.self_check},
          {"merge", o.merge},
          {"classes", o.classes},
          {"races", o.races},
          {"exits", o.exits},
          {"seed", o.seed},
          {"random_runs", o.random_runs},
          {"preemption_bound", o.preemption_bound ? Json(*o.preemption_bound) : Json(nullptr)},
          {"pct_depth", o.pct_depth},
          {"z3", o.z3},
          {"solver_seconds", o.solver_seconds}};
}

ExploreOptions options_from_json(const Json& json, const machine::MemoryRules& memory) {
  ExploreOptions o;
  o.memory = memory;
  o.keep_going = json.at("keep_going");
  o.sleep_sets = json.at("sleep_sets");
  o.self_check = json.at("self_check");
  o.merge = json.at("merge");
  o.classes = json.at("classes");
  o.races = json.at("races");
  o.exits = json.at("exits");
  o.seed = json.at("seed");
  o.random_runs = json.at("random_runs");
  if (!json.at("preemption_bound").is_null()) o.preemption_bound = json.at("preemption_bound").get<u32>();
  o.pct_depth = json.at("pct_depth");
  o.z3 = json.at("z3");
  o.solver_seconds = json.at("solver_seconds");
  return o;
}

}  // namespace plait::cluster

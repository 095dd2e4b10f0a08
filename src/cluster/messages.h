// What tasks, results and checks are as bytes: CBOR, by nlohmann's JSON library; lists of plain values are byte strings
// in it. Both sides have the same layout of these, or do not talk at all (`compatibility`). What is read may come from
// anywhere: all functions that read throw Error (internal) if it is damaged.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "check/findings.h"
#include "host/worker.h"
#include "report/json.h"
#include "run/runner.h"

namespace plait::cluster {

/// Plait's version, the machine's architecture, the C library and the layout of messages, in words.
std::string compatibility();

std::string to_bytes(const Json& json);
Json from_bytes(const std::string& bytes);
/// Calls it, and turns what the JSON library throws into an Error that says what was damaged.
[[noreturn]] void throw_damaged(const char* what, const std::exception& error);

template <class T>
Json list_to_json(std::span<const T> list) {
  const auto* bytes = reinterpret_cast<const u8*>(list.data());
  return Json::binary({bytes, bytes + list.size_bytes()});
}
template <class T>
std::vector<T> list_from_json(const Json& json) {
  const auto& bytes = json.get_binary();
  if (bytes.size() % sizeof(T) != 0) throw std::runtime_error("a list has half an entry");
  std::vector<T> list(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(static_cast<void*>(list.data()), bytes.data(), bytes.size());
  return list;
}
template <class T>
Json value_to_json(const T& value) {
  return list_to_json(std::span(&value, 1));
}
template <class T>
T value_from_json(const Json& json) {
  std::vector<T> list = list_from_json<T>(json);
  if (list.size() != 1) throw std::runtime_error("a value is missing");
  return list[0];
}

Json text_to_json(std::string_view text);  // any bytes
std::string text_from_json(const Json& json);

Json visibility_to_json(const Visibility& visibility);
Visibility visibility_from_json(const Json& json);

Json batch_to_json(const Batch& batch, u32 first);
Batch batch_from_json(const Json& json);

/// Runs on their way back.
class Runs {
 public:
  void add(const RunView& run);
  u32 size() const { return static_cast<u32>(replies_.size()); }
  size_t bytes() const;
  RunView view(u32 index) const;
  Json to_json() const;
  static Runs from_json(const Json& json);

 private:
  std::vector<Reply> replies_;
  std::vector<u8> outgrown_;
  std::vector<Event> events_;
  std::vector<Failure> failures_;
  std::string text_;  // outputs and accounts
};

Json findings_to_json(const Found& found);
Found findings_from_json(const Json& json);

/// What runs have told the session besides their traces.
struct SessionNews {
  Visibility visibility;
  std::vector<Note> notes;
  u32 inputs = 0;
  std::vector<Touched> touched;  // by any run of the session; empty if that is known
  u64 touched_name = 0;
};
/// `told`: the names of what the reader knows of who has touched what.
Json news_to_json(SessionMemory& session, const std::vector<u64>& told);
SessionNews news_from_json(const Json& json);
/// Adds what is new.
void take_over(SessionMemory& session, const SessionNews& news);
/// Only which number a thread has: of runs that will be made again, and would find what they share known already.
void take_over_threads(SessionMemory& session, const SessionNews& news);

/// The sums that a check reports.
Json counters_to_json(const Counters& counters);
void add_counters(Counters& counters, const Json& json);

Json options_to_json(const ExploreOptions& options);
ExploreOptions options_from_json(const Json& json, const machine::MemoryRules& memory);

}  // namespace plait::cluster

// The protocol's messages (docs/runtimes.md), checked field by field and turned into values.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "exogenous/connection.h"
#include "exogenous/relations.h"

namespace plait::exogenous {

inline constexpr int kProtocol = 1;

struct Hello {
  std::string name, version;
  Framing framing = Framing::Lines;
  bool numbers = false;
  u32 window = 64;
  nlohmann::json relations = nlohmann::json::object();
  nlohmann::json operations = nlohmann::json::object(), initial = nlohmann::json::object();
  std::vector<std::string> actors;
  std::string main;  // an actor that begins when all others have ended
};

enum class EndStatus : u8 { Complete, Blocked, Failed, Diverged, Limit };

struct RuntimeFailure {
  std::string kind, message, actor, file;
  u32 line = 0;
};

/// An event that could have been performed in the place of another one.
struct Alternative {
  u32 at;
  u32 event;
};

/// One run. Events are numbers of descriptions.
struct Execution {
  std::vector<Symbol> seed;
  std::vector<u32> events, pending;
  std::vector<Alternative> alternatives;
  EndStatus status = EndStatus::Complete;
  RuntimeFailure failure;
  std::string message;  // Blocked, Diverged
  u32 at = 0;           // Diverged: index in the seed
  std::optional<std::string> result;
  GivenPairs given;
  bool failed() const { return status == EndStatus::Failed || status == EndStatus::Blocked; }
};

/// Throws std::invalid_argument: where in the message, and what is needed there.
Hello parse_hello(const nlohmann::json& message);

/// What one process has described so far, and the reading of its messages.
class Reader {
 public:
  explicit Reader(Catalogue& catalogue) : catalogue_(catalogue) {}
  /// `event`, `events` or `end` of the run under way. True when that run has ended. Throws std::invalid_argument.
  bool take(const nlohmann::json& message, Execution& run);
  /// A number that this process knows for the event with this id; none: it has not described one.
  std::optional<u32> number_of(Symbol id) const;

 private:
  enum class Role : u8 { Performed, Pending, Alternative };
  u32 event(const nlohmann::json& value, const std::string& place, Role role);
  void events(const nlohmann::json& list, const std::string& place, Execution& run);
  void end(const nlohmann::json& message, Execution& run);

  Catalogue& catalogue_;
  std::vector<u32> described_;               // by the process's number
  std::unordered_map<Symbol, u32> numbers_;  // by id
  std::vector<u32> performed_;               // by actor, in the run under way
  std::vector<Symbol> ids_;                  // of the run's events, sorted when it ends
};

}  // namespace plait::exogenous

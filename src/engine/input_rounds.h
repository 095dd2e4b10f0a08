// All inputs of a program, round by round (docs/inputs.md): each round explores all schedules for fixed inputs, and
// covers all inputs of its class.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/check_options.h"
#include "explore/explorer.h"
#include "host/session_memory.h"
#include "report/program_map.h"
#include "report/result.h"
#include "solve/input_classes.h"

namespace plait {

/// NAME=VALUE; throws Error (usage).
void fix_named_inputs(LabelTables& tables, const std::vector<std::string>& values);
/// Throws Error (usage) if a named input is not one of the program's, or its value is out of range.
void require_named_inputs(SessionMemory& session, const std::vector<std::string>& values);

class InputRounds : public InputChooser {
 public:
  /// `follows`: the program was compiled so that inputs can be explored.
  InputRounds(SessionMemory& session, const CheckOptions& options, bool follows);

  // Where paths are followed, each run can have other inputs: each of these is a round of its own.
  void choose(const std::vector<InputVariable>& values) override;
  std::vector<InputVariable> taken() override { return session_.taken_inputs(); }
  void cover() override { covered_ = true; }
  void give_up() override;
  bool gave_up() const { return gave_up_; }
  /// To be told of each round that begins by itself.
  void set_listener(std::function<void(u32 round)> listener) { listener_ = std::move(listener); }

  u32 round() const { return static_cast<u32>(inputs_.size()) - 1; }
  /// After a round: what it covers. True if there is another one, for which the session is ready.
  bool another(const Control& control);
  /// Why there is none although not all inputs are covered; empty: all are.
  const std::string& obstacle() const { return obstacle_; }
  /// The session gets the inputs of that round again.
  void set(u32 round);
  /// What was visible when it ended, with its inputs; null: as now.
  const Visibility* visibility(u32 round) const;

  /// Inputs, classes, and the branch with most sides.
  void report(CheckResult& result, const ProgramMap* map, bool verbose);
  /// Do inputs matter at all?
  bool active() const { return active_; }

 private:
  void note(const solve::RoundRecord& record);
  solve::NextInput ask(solve::InputValues& values, double seconds);
  std::string busiest(const ProgramMap* map) const;

  SessionMemory& session_;
  const CheckOptions& options_;
  bool active_;
  solve::InputClasses classes_;
  std::vector<std::vector<InputVariable>> inputs_;  // of each round
  std::map<u32, Visibility> ends_;                  // of rounds that are over
  std::map<std::string, std::set<u64>> values_;     // of inputs, by name
  std::map<std::string, u32> bits_;
  std::map<std::string, std::string> types_;
  std::map<u32, std::set<u64>> sides_;  // of branches, by site
  std::map<u32, std::set<u64>> fixed_;  // expressions that were given values there
  std::string obstacle_;
  bool stopped_ = false;  // by a limit
  bool chooses_ = false, covered_ = false, gave_up_ = false;
  std::set<std::vector<std::pair<u64, u64>>> chosen_;  // (id, value): all that runs have had
  std::function<void(u32 round)> listener_;
  void note_taken();
  void begin(std::vector<InputVariable> values);
};

}  // namespace plait

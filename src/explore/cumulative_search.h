// One attempt to learn all behaviour (cumulative.cc): searches, the runs that they ask for, what is learned from them.
#pragma once
#include <mutex>
#include <set>

#include "explore/album.h"
#include "explore/decider.h"
#include "explore/explorer.h"
#include "explore/hunt.h"
#include "explore/path_frontier.h"
#include "explore/path_inputs.h"
#include "explore/searches.h"
#include "explore/shared_bytes.h"
#include "explore/tally.h"

namespace plait {

class Cumulative {
 public:
  explicit Cumulative(Exploration& exploration, bool paths = false) : exploration_(exploration), paths_(paths) {
    if (paths && exploration.inputs) inputs_ = std::make_unique<PathInputs>(exploration);
  }

  /// Begins with what other runs have shown; the first runs go into their album.
  void begin_with(Behaviour&& knowledge, Album& album) {
    given_ = std::move(knowledge);
    album_ = &album;
  }

  /// Not empty: the program does something that traces do not show, so nothing can be predicted.
  const std::string& contradiction() const { return contradiction_; }
  /// It was because a block had two sizes: what the heap knows of it must be shown. (Pictures of mcr do not have it.)
  std::optional<u64> resized_block() const {
    return contradiction_.empty() || album_ ? std::nullopt : knowledge_.resized_block();
  }
  /// Not empty: paths cannot be told apart by what they decide (paths).
  const std::string& obstacle() const { return obstacle_; }
  Fallback fallback() const { return {contradiction_, !unseen_code_}; }

  Attempt explore();
  virtual ~Cumulative() = default;

 protected:
  /// What comes between the first run and the searches, which then look for what is left.
  virtual Attempt mine() { return Attempt::Complete; }

  bool is_weak() const { return exploration_.options.memory.buffers; }

  /// Classes are about histories, so they are kept apart.
  bool merges() const { return exploration_.options.merge && !exploration_.options.classes && !paths_; }

  /// Of runs that are to be learned from.
  u8 flags() const {
    const int flags =
        request_flag::kAllEvents | (merges() ? request_flag::kStates : 0) | (paths_ ? request_flag::kLabels : 0);
    return static_cast<u8>(flags);
  }

  Attempt build();

  enum class Round { Proved, Learned, Stopped, SharingGrew, Undecided };

  /// Searches from the start; what they find is run and learned, and they go on, until nothing is left to be found or
  /// the knowledge has outgrown them. Proved: nothing is left, and all that the searches decided on their way holds
  /// with what is known in the end.
  Round round();

  std::vector<std::unique_ptr<Decider>> make_deciders(const std::shared_ptr<Horizon>& horizon);

  /// The search is large: what can constraints over the known paths tell?
  Round ask_constraints();

  /// Memory began with something else than the searches of this round took it for.
  bool began_otherwise() const { return knowledge_.initial_version() != initial_version_; }

  void give_up_loop(NodeId at);

  /// What an earlier check knew: its schedules once more.
  bool learn_again();

  /// One run by the default schedule, and inputs.
  template <class Consume>
  bool run_by_default(u8 flags, Consume&& consume) {
    Batch batch;
    Request request{};
    request.tail = Tail::First;
    request.flags = flags;
    batch.add(request, {});
    if (inputs_) inputs_->choose({});
    const bool all = exploration_.run(exploration_.crew.first(), batch, [&](u32, const RunView& run) { consume(run); });
    tally_.flush();
    return all;
  }

  /// One that records everything shows at once what is shared. (And what main does with inputs.)
  bool first_run(u8 recorded = request_flag::kEverything);

  /// Where reads are symbols, the first run tells what is shared, and no more.
  bool show(const RunView& run);

  bool first_path();

  template <class IsShared>
  bool learn(const RunView& run, Tally& tally, IsShared&& shared) {
    tally.add(*run.reply);
    if (run.reply->status != RunStatus::Complete) exploration_.sink.finished(FinishedRun{run, {}});
    if (run.reply->status == RunStatus::Limit) gave_up_ = true;
    unseen_code_ |= shows_unseen_code(run);
    if (run.reply->unpredictable != Unpredictable::No) {
      unseen_code_ &= run.reply->unpredictable == Unpredictable::ByUnseenCode;
      contradiction_ = what_is_unseen(run.events);
      return false;
    }
    if (merges() && run.reply->opaque[0]) exploration_.sink.not_merged(run.reply->opaque_site, run.reply->opaque);
    const LabelTables* labels = paths_ ? exploration_.runners.labels() : nullptr;
    if (labels) obstacle_ = run.reply->status == RunStatus::Limit ? "a run has no end" : label_problem(*labels);
    if (!obstacle_.empty()) return false;
    contradiction_ = knowledge_.learn(run.events, run.output, run.failures(), merges(), shared, labels);
    if (inputs_) inputs_->note_taken();
    return contradiction_.empty();
  }

  bool is_known(const Target& target) const {
    if (knowledge_.node(knowledge_.canonical(target.first)).state == Node::State::Unknown) return false;
    return knowledge_.known_child(target.first, target.second) != kNoNode;
  }

  Attempt follow(const std::vector<Question>& leads);

  /// Not for those who count runs or choose inputs.
  bool hunts() const { return !album_ && !inputs_ && !exploration_.options.classes; }
  Attempt hunt_if_large();

  Request random_request();

  /// What was put into the loads of the first members. False if the exploration is to stop.
  bool run_loads(size_t members);

  /// Runs what the load has; what it learns is added one run at a time.
  void run_load(Load& load, Runner& runner);

  /// False: there is nothing to ask any more.
  bool add(Load& load, const Question& question);
  bool ask(Load& load, Asked asked);
  void add(Load& load, const PathLead& lead);

  void confirm(const Asked& asked, const RunView& run);

  Exploration& exploration_;
  Control& control_ = exploration_.control;
  Tally tally_{control_.counters};
  const bool paths_;  // reads are symbols: the graphs branch where threads do
  std::string obstacle_;
  Behaviour knowledge_{exploration_.options.memory};
  std::unique_ptr<PathInputs> inputs_;  // where they are symbols
  solve::PathConditions* conditions() { return inputs_ ? &inputs_->conditions() : nullptr; }
  PathFrontier frontier_;
  std::optional<Behaviour> given_;
  Album* album_ = nullptr;
  bool everything_ = false;  // runs of the batch record it
  bool too_fine_ = false;    // the last step of such a run was one that nobody else sees: once more without
  u64 initial_version_ = 0;  // of the knowledge, when the round began
  static constexpr u64 kBudget =
      1 << 16;                    // states that a search leaves before its leads are followed; doubled each time
  double seconds_to_ask_ = 0.25;  // constraints; more if they have helped
  double round_began_ = 0;        // in seconds
  u64 path_budget_ = 1 << 17;     // likewise, where constraints can be asked
  static constexpr u64 kEarlyPathBudget = 1 << 14;  // once they have helped
  static constexpr u64 kSmallSearch = 1 << 14;      // states that are soon visited again
  static constexpr size_t kManyLeads = 512;         // worth more workers
  Hunt hunt_{exploration_.options, control_.counters.states.load()};
  std::vector<std::unique_ptr<Load>> loads_;
  std::mutex mutex_;  // what the crew's threads share: knowledge and all below
  bool grew_ = false, learning_ = true;
  std::set<Target> given_up_;
  std::set<std::vector<u64>> confirmed_;
  bool exit_matters_ = false;  // an end of the program that cuts threads off is to be found
  bool gave_up_ = false;
  bool first_grew_ = false;
  std::string contradiction_;
  bool unseen_code_ = false;  // is known to run, and may explain a contradiction
};

}  // namespace plait

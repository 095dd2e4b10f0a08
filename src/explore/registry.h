// The explorers that there are, and what each of them can do. The command line, the check and its report ask this
// table, not for names.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "explore/explorer.h"
#include "explore/parts.h"

namespace plait {

/// What is learned about sharing before an explorer begins (explorer.h).
enum class SharingFirst : u8 { Nothing, FromOneRun, FromRuns };

struct ExplorerInfo {
  std::string_view name;
  std::string_view summary;  // for --help
  std::unique_ptr<Explorer> (*make)();
  SharingFirst sharing = SharingFirst::Nothing;
  bool samples = false;   // it can never be complete
  bool predicts = false;  // it keeps behaviour graphs
  bool solves = false;    // --solver, --dump-queries
  bool resumes = false;   // --resume, --compare
  bool counts_interleavings = false;
  bool counts_classes = false;        // --classes
  bool self_checks = false;           // --self-check
  bool has_sleep_sets = false;        // --sleep-sets
  bool has_preemption_bound = false;  // --preemption-bound
  bool has_strategies = false;        // --strategy
  bool follows_reads = false;         // the program must be compiled with -fplait-inputs
  MakePlan plan = nullptr;            // its work can be cut into parts (parts.h)
  ExplorePart explore_part = nullptr;
  bool settles_turns = false;  // loops that try a few times need not be followed turn by turn (runtime/turns.h)
};

std::span<const ExplorerInfo> explorers();
/// The name must be one of them.
const ExplorerInfo& explorer_named(std::string_view name);
/// Can the exploration be cut into parts? What the compiler says of dependences is kept where the program is, and
/// within a preemption bound dpor knows no sleepers, so that one branch would do the work of others.
bool has_parts(const ExplorerInfo& explorer, const ExploreOptions& options);
/// As ExplorerInfo::sharing says.
void learn_first(Exploration& exploration, const ExplorerInfo& explorer);
/// "icb and dpor": those for which `can` is true.
std::string names_of_explorers(bool ExplorerInfo::* can);

}  // namespace plait

// Explorers that know what runs have shown: by values; by paths, or values where paths cannot be followed
// (docs/exploration.md).
#include "explore/cumulative.h"
#include "explore/cumulative_search.h"

namespace plait {
namespace {

class CumulativeExplorer : public Explorer {
 public:
  Attempt attempt(Exploration& exploration) override { return follow_values(exploration); }
};

class PathsExplorer : public Explorer {
 public:
  Attempt attempt(Exploration& exploration) override {
    return attempt_paths(exploration, obstacle_, [](Exploration& e) { return std::make_unique<Cumulative>(e, true); });
  }

 private:
  std::string obstacle_;
};

}  // namespace

std::unique_ptr<Explorer> make_cumulative() { return std::make_unique<CumulativeExplorer>(); }
std::unique_ptr<Explorer> make_paths() { return std::make_unique<PathsExplorer>(); }

}  // namespace plait

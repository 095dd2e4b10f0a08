// Explorers that know what runs have shown: by values; by paths, or values where paths cannot be followed
// (docs/exploration.md).
#include "explore/cumulative.h"

namespace plait {
namespace {

class CumulativeExplorer : public Explorer {
 public:
  Attempt attempt(Exploration& exploration) override { return follow_values(exploration); }
};

class PathsExplorer : public Explorer {
 public:
  Attempt attempt(Exploration& exploration) override {
    if (!obstacle_.empty()) return follow_values(exploration);
    const Attempt result = follow_paths(exploration, obstacle_);
    if (obstacle_.empty()) {
      if (result == Attempt::Complete && exploration.inputs) exploration.inputs->cover();
      return result;
    }
    if (exploration.inputs) exploration.inputs->give_up();
    exploration.sink.follows_values(obstacle_);
    exploration.sink.restarted();
    exploration.refresh();
    return follow_values(exploration);
  }

 private:
  std::string obstacle_;
};

}  // namespace

std::unique_ptr<Explorer> make_cumulative() { return std::make_unique<CumulativeExplorer>(); }
std::unique_ptr<Explorer> make_paths() { return std::make_unique<PathsExplorer>(); }

}  // namespace plait

// Paths (docs/exploration.md), or values where paths cannot be followed.
#include "explore/cumulative.h"

namespace plait {
namespace {

class PathsExplorer : public Explorer {
 public:
  Attempt attempt(Exploration& exploration) override {
    if (!obstacle_.empty()) return follow_values(exploration);
    const Attempt result = follow_paths(exploration, obstacle_);
    if (obstacle_.empty()) return result;
    exploration.sink.follows_values(obstacle_);
    exploration.sink.restarted();
    exploration.refresh();
    return follow_values(exploration);
  }

 private:
  std::string obstacle_;
};

}  // namespace

std::unique_ptr<Explorer> make_paths() { return std::make_unique<PathsExplorer>(); }

}  // namespace plait

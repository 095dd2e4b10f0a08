// What searches over the same knowledge share: the shape of states, and what can still happen from each node on.
#pragma once
#include <optional>

#include "explore/reductions.h"
#include "knowledge/blockers.h"
#include "knowledge/cone.h"
#include "knowledge/futures.h"
#include "knowledge/layout.h"
#include "knowledge/symmetry.h"

namespace plait {

class Horizon {
 public:
  /// `reduces`: with what pays in large searches.
  Horizon(const Behaviour& knowledge, bool exit_matters, bool reduces = true)
      : knowledge_(knowledge), exit_matters_(exit_matters), reduces_(reduces), layout_(knowledge) {
    look_ahead();
  }
  const Layout& layout() const { return layout_; }
  const Futures& futures() const { return *futures_; }
  bool reduces() const { return reduces_; }
  /// Null: not to be used.
  const Symmetry* symmetry() const { return symmetry_ ? &*symmetry_ : nullptr; }
  bool has_like_threads() const { return symmetry_ && !symmetry_->groups().empty(); }
  const Blockers* blockers() const { return blockers_ ? &*blockers_ : nullptr; }

  enum class Change {
    Outgrown,  // states need another shape: searches must begin anew
    Moved,     // they can go on, but what they decided before may be wrong
    Same,      // all that they decided holds
  };
  /// Takes in what has been learned since.
  Change refresh() {
    if (!layout_.still_fits()) return Change::Outgrown;
    const Futures before = std::move(*futures_);
    const std::optional<Blockers> blockers_before = std::move(blockers_);
    const std::optional<Symmetry> symmetry_before = std::move(symmetry_);
    look_ahead();
    const bool holds = futures_->confirms(before) && (!blockers_ || blockers_->confirms(*blockers_before)) &&
                       (!symmetry_ || symmetry_->confirms(*symmetry_before));
    return holds ? Change::Same : Change::Moved;
  }

 private:
  void look_ahead() {
    futures_.emplace(knowledge_, layout_, exit_matters_);
    if (reduces_ && uses(Reduction::Symmetry)) symmetry_.emplace(knowledge_, layout_, futures_->node_order());
    if (reduces_ && uses(Reduction::Blockers)) blockers_.emplace(knowledge_, layout_, *futures_);
  }

  const Behaviour& knowledge_;
  bool exit_matters_, reduces_;
  Layout layout_;
  std::optional<Symmetry> symmetry_;
  std::optional<Futures> futures_;  // their addresses stay
  std::optional<Blockers> blockers_;
};

}  // namespace plait

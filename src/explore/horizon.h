// What searches over the same knowledge share: the shape of states, and what can still happen from each node on.
#pragma once
#include <optional>

#include "knowledge/cone.h"
#include "knowledge/futures.h"
#include "knowledge/layout.h"

namespace plait {

class Horizon {
 public:
  Horizon(const Behaviour& knowledge, bool exit_matters)
      : knowledge_(knowledge), exit_matters_(exit_matters), layout_(knowledge) {
    futures_.emplace(knowledge_, layout_, exit_matters_);
  }
  const Layout& layout() const { return layout_; }
  const Futures& futures() const { return *futures_; }

  enum class Change {
    Outgrown,  // states need another shape: searches must begin anew
    Moved,     // they can go on, but what they decided before may be wrong
    Same,      // all that they decided holds
  };
  /// Takes in what has been learned since.
  Change refresh() {
    if (!layout_.still_fits()) return Change::Outgrown;
    const Futures before = std::move(*futures_);
    futures_.emplace(knowledge_, layout_, exit_matters_);
    return futures_->confirms(before) ? Change::Same : Change::Moved;
  }

 private:
  const Behaviour& knowledge_;
  bool exit_matters_;
  Layout layout_;
  std::optional<Futures> futures_;  // its address stays
};

}  // namespace plait

// The encoding of paper 001 §3: an integer for each event, and V(a) < V(b) for all that must happen before, enabled or
// interfered, but for one pair that is reversed, and for what enabled its second event.
#include "exogenous/z3_orders.h"

#include <z3++.h>

#include <algorithm>

namespace plait::exogenous {
namespace {

class Orders {
 public:
  Orders(const RunOrder& order, u32 second) : order_(order), second_(second), solver_(context_, "QF_IDL") {
    for (u32 i = 0; i < order.size(); ++i) times_.push_back(context_.int_const(("e" + std::to_string(i)).c_str()));
    if (second_ >= order.size()) times_.resize(second_ + 1, context_.int_const("second"));
    for (u32 j = 0; j < order.size(); ++j)
      for (u32 i = 0; i < j; ++i)
        if (j != second_ && order.tie(i, j) != Tie::None) solver_.add(times_[i] < times_[j]);
  }

  /// Can it come before `first`, all else as it was? Then all events behind `first` that can come before it do.
  bool reverse(u32 first, Reversal& reversal) {
    solver_.push();
    const u32 end = std::min(second_, order_.size());
    for (u32 i = 0; i < end; ++i) {
      const Tie how = order_.tie(i, second_);
      const bool counts = how == Tie::Must || (how == Tie::Interferes && !may_fail(i));
      if (i != first && counts) solver_.add(times_[i] < times_[second_]);
    }
    solver_.add(times_[second_] < times_[first]);
    const bool possible = solver_.check() == z3::sat;
    if (possible) collect(first, reversal);
    solver_.pop();
    return possible;
  }

 private:
  /// As in order.cc: the second event may have to wait, so that this one is no reason.
  bool may_fail(u32 i) const {
    if (second_ >= order_.size()) return true;
    for (u32 enabler = i + 1; enabler < second_; ++enabler)
      if (order_.tie(enabler, second_) == Tie::Enables && order_.before(i, enabler)) return true;
    return false;
  }

  void collect(u32 first, Reversal& reversal) {
    for (u32 k = first + 1; k < order_.size(); ++k) {
      if (k == second_) continue;
      solver_.push();
      solver_.add(times_[k] < times_[second_]);
      const bool possible = solver_.check() == z3::sat;
      solver_.pop();
      if (!possible) {
        reversal.may_fail |= k < second_ && order_.tie(k, second_) == Tie::Enables;
        continue;
      }
      solver_.add(times_[k] < times_[second_]);
      reversal.between.push_back(k);
    }
  }

  const RunOrder& order_;
  const u32 second_;
  z3::context context_;
  z3::solver solver_;
  std::vector<z3::expr> times_;
};

}  // namespace

std::vector<Reversal> z3_reversals(const RunOrder& order, u32 pending) {
  std::vector<Reversal> all;
  for (u32 j = 0; j < order.size() + pending; ++j) {
    Orders orders(order, j);
    const bool performed = j < order.size();
    for (u32 i = std::min(j, order.size()); i-- > 0;) {
      if (order.tie(i, j) != Tie::Interferes) continue;
      Reversal reversal{i, order.event(j), performed ? j : kNotPerformed, !performed, {}};
      if (orders.reverse(i, reversal)) all.push_back(std::move(reversal));
    }
  }
  return all;
}

}  // namespace plait::exogenous

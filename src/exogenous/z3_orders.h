// Z3's answer to the questions that order.h answers by itself: which conflicts of a run can be reversed, and what can
// then come before the reversed pair. The reference.
#pragma once
#include "exogenous/order.h"

namespace plait::exogenous {

std::vector<Reversal> z3_reversals(const RunOrder& order, u32 pending);

}  // namespace plait::exogenous

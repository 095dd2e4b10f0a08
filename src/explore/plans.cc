#include "explore/plans.h"

#include "knowledge/values.h"

namespace plait {
namespace {

/// Threads that could receive something unknown, as far as a quick look tells.
ThreadSet unsettled(const Behaviour& knowledge, const Horizon& horizon) {
  const ThreadSet all = knowledge.threads() >= kMaxThreads ? ~ThreadSet{0} : (ThreadSet{1} << knowledge.threads()) - 1;
  return all & ~saturated_threads(knowledge, horizon.layout());
}

}  // namespace

std::vector<Plan> make_plans(const Behaviour& knowledge, const Horizon& horizon, bool merges, bool exit_matters) {
  const Decider::Options options{.merge = !merges || horizon.futures().many_are_equal(), .exit_matters = exit_matters};
  if (exit_matters || horizon.futures().has_atomic_sections()) return {{Cone(), options}};
  std::vector<Plan> plans;
  ThreadSet threads = unsettled(knowledge, horizon);
  bool blocking = false;
  for (NodeId id = 1; id < knowledge.size() && !blocking; ++id) {
    const Op op = knowledge.node(id).op;
    blocking = !knowledge.is_dead(id) && machine::is_sync(op) && machine::can_block(op);
  }
  if (blocking) {
    Decider::Options about_blocking = options;
    about_blocking.blocking = true;
    Cone cone = Cone::of_blocking(knowledge, horizon.layout(), horizon.futures());
    const auto covers = [&](ThreadSet set) { return cone.covers(knowledge, horizon.futures(), set); };
    for (ThreadSet set = threads; set; set &= set - 1) {
      const ThreadSet me = bit(lowest(set));
      if (covers(me) && covers(horizon.symmetry() ? horizon.symmetry()->closed(me) : me)) threads &= ~me;
    }
    plans.push_back({std::move(cone), about_blocking});
  }
  Decider::Options about_results = options;
  if (horizon.symmetry()) about_results.apart = groups_apart(knowledge, horizon.futures(), *horizon.symmetry());
  for (Cone& cone : cones_of(knowledge, horizon.futures(), threads, horizon.symmetry(), about_results.apart))
    plans.push_back({std::move(cone), about_results});
  return plans;
}

}  // namespace plait

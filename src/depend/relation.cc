#include "depend/relation.h"

#include <algorithm>

namespace plait::depend {
namespace {

constexpr u32 kFarthest = 2000;  // steps behind a read that are looked at; the next one counts as dependent

}  // namespace

const Relation::Reached& Relation::reached(u32 site, bool near) const {
  std::lock_guard lock(mutex_);
  std::unique_ptr<const Reached>& known = known_[u64{site & ~1u} << 1 | near];
  if (known) return *known;
  auto made = std::make_unique<Reached>();
  made->nodes.assign(graph_->nodes(), false);
  const Graph::Site& from = *graph_->site(site);
  const std::vector<u32>& around = from.control;
  std::vector<u32> todo;
  auto reach = [&](u32 node) {
    if (made->nodes[node]) return;
    if (near && graph_->is_hooked_memory(node)) return;
    if (near && std::find(around.begin(), around.end(), node) != around.end()) return;
    made->nodes[node] = true;
    todo.push_back(node);
  };
  for (const u32 node : from.sources) reach(node);
  while (!todo.empty()) {
    const u32 node = todo.back();
    todo.pop_back();
    for (const u32 to : graph_->from(node)) reach(to);
  }
  known = std::move(made);
  return *known;
}

bool Relation::any(const Reached& reached, const std::vector<u32>& nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [&](u32 node) { return reached.nodes[node]; });
}

bool Relation::happens_anyway(const Reached& reached, const solve::Step& step) const {
  if (step.operation.op == Op::End) return !reached.nodes[depends::kEnd];
  const Graph::Site* site = graph_->site(step.operation.site);
  return site && !any(reached, site->control) && !any(reached, site->entered);
}

bool Relation::can_change(const solve::Step& read) const {
  if (read.operation.op != Op::Load && read.operation.op != Op::Rmw) return false;
  const Graph::Site* site = graph_->site(read.operation.site);
  return site && !site->opaque && !site->sources.empty();
}

void Relation::follow(const solve::CausalModel& trace, u32 read, solve::Dependence& found) const {
  const solve::Step& first = trace.steps()[read];
  if (first.operation.op == Op::Rmw) found.brings[read].push_back(read);
  const u32 length = std::min(trace.length(first.thread), first.index + kFarthest);
  bool near = true;
  u32 index = first.index + 1;
  for (; index < length; ++index) {
    const u32 number = trace.number(first.thread, index);
    const solve::Step& step = trace.steps()[number];
    near = near && step.position - trace.step(first.thread, index - 1).position <= 1 &&
           (step.operation.site & ~1u) != (first.operation.site & ~1u);
    const Reached& flow = reached(first.operation.site, near);
    if (!happens_anyway(flow, step)) break;
    const Graph::Site* site = graph_->site(step.operation.site);
    if (site && (site->opaque || any(flow, site->data))) found.brings[number].push_back(read);
  }
  found.until[read] = index;
}

std::shared_ptr<const solve::Dependence> Relation::of(const solve::CausalModel& trace) const {
  auto found = std::make_shared<solve::Dependence>();
  const u32 count = static_cast<u32>(trace.steps().size());
  found->until.resize(count);
  found->brings.resize(count);
  for (u32 number = 0; number < count; ++number) {
    found->until[number] = trace.steps()[number].index;
    if (can_change(trace.steps()[number])) follow(trace, number, *found);
  }
  for (u32 number = 0; number < count; ++number) {
    std::vector<u32>& brings = found->brings[number];
    std::erase_if(brings, [&](u32 read) { return found->until[read] <= trace.steps()[read].index; });
    if (trace.steps()[number].is_buffered) found->brings[trace.flush_of(number)] = brings;
  }
  return found;
}

}  // namespace plait::depend

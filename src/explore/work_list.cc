#include "explore/work_list.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "explore/part_bytes.h"

namespace plait {

Trunk* Trunk::make(u32 size) {
  auto* trunk = static_cast<Trunk*>(std::malloc(sizeof(Trunk) + size * sizeof(Choice)));
  if (!trunk) throw std::bad_alloc();
  trunk->references = 0;
  trunk->size = size;
  return trunk;
}

void Trunk::destroy(Trunk* trunk) { std::free(trunk); }

void WorkList::clear() {
  for (Branch& branch : branches_) Trunk::release(branch.trunk);
  branches_.clear();
  root_ = false;
}

u32 WorkList::available(u32 most) const {
  u32 found = root_ ? 1 : 0;
  for (size_t i = branches_.size(); i-- > 0 && found < most;)
    found += count(branches_[i].threads) + count(branches_[i].args);
  return std::min(found, most);
}

Alternative WorkList::pop() {
  Alternative next;
  if (branches_.empty()) {
    root_ = false;
    next.root = true;
    return next;
  }
  Branch& top = branches_.back();
  next.trunk = top.trunk;
  next.point = top.point;
  next.sleep = top.sleep;
  if (top.args) {
    next.thread = top.thread;
    next.arg = lowest(top.args);
    next.chosen = true;
    next.sleep &= ~bit(top.thread);  // it is this thread's operation that is done again
    top.args &= top.args - 1;
  } else {
    next.thread = lowest(top.threads);
    top.threads &= top.threads - 1;
    top.sleep |= bit(next.thread);
  }
  if (top.args | top.threads)
    ++next.trunk->references;
  else
    branches_.pop_back();  // its reference goes to the caller
  return next;
}

void WorkList::finish_run(size_t first, std::span<const Choice> prefix, std::span<const Choice> suffix) {
  if (first == branches_.size()) return;
  u32 size = branches_.back().point;
  Trunk* trunk = Trunk::make(size);
  size_t from_prefix = std::min<size_t>(prefix.size(), size);
  if (from_prefix) std::memcpy(trunk->steps(), prefix.data(), from_prefix * sizeof(Choice));
  if (size > from_prefix)
    std::memcpy(trunk->steps() + from_prefix, suffix.data(), (size - from_prefix) * sizeof(Choice));
  for (size_t i = first; i < branches_.size(); ++i) branches_[i].trunk = trunk;
  trunk->references = static_cast<u32>(branches_.size() - first);
}

void WorkList::donate(u32 most, std::vector<Branch>& to) {
  size_t n = std::min<size_t>(most, branches_.size() / 2);
  for (size_t i = 0; i < n; ++i) {
    Branch branch = branches_[i];
    Trunk* own = Trunk::make(branch.point);
    own->references = 1;
    std::memcpy(own->steps(), branch.trunk->steps(), branch.point * sizeof(Choice));
    Trunk::release(branch.trunk);
    branch.trunk = own;
    to.push_back(branch);
  }
  branches_.erase(branches_.begin(), branches_.begin() + static_cast<std::ptrdiff_t>(n));
}

std::vector<std::string> WorkList::cut(size_t parts) {
  if (root_) throw std::logic_error("nothing has been run");
  // Neighbours are of one run, and alike: each part gets some of them, old and new ones.
  std::vector<PartWriter> writers(std::min(parts, branches_.size()));
  for (size_t i = 0; i < branches_.size(); ++i) {
    Branch branch = branches_[i];
    PartWriter& writer = writers[i % writers.size()];
    Trunk* const trunk = std::exchange(branch.trunk, nullptr);
    writer.value(branch);
    writer.list(std::span<const Choice>(trunk->steps(), branch.point));
  }
  clear();
  std::vector<std::string> result;
  for (PartWriter& writer : writers) result.push_back(writer.take());
  return result;
}

void WorkList::add_part(const std::string& part) {
  for (PartReader reader(part); !reader.at_end();) {
    Branch branch = reader.value<Branch>();
    const std::vector<Choice> steps = reader.list<Choice>();
    if (steps.size() != branch.point) throw std::runtime_error("a branch lacks steps");
    branch.trunk = Trunk::make(branch.point);
    branch.trunk->references = 1;
    std::copy(steps.begin(), steps.end(), branch.trunk->steps());
    branches_.push_back(branch);
  }
}

void WorkList::adopt(std::vector<Branch>& from) {
  branches_.insert(branches_.end(), from.begin(), from.end());
  from.clear();
}

}  // namespace plait

#include "explore/work_list.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

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

void WorkList::adopt(std::vector<Branch>& from) {
  branches_.insert(branches_.end(), from.begin(), from.end());
  from.clear();
}

}  // namespace plait

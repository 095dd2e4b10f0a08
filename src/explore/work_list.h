// What is left to run, as a stack of branches.
//
// A run leaves, at each of its scheduling points, the alternatives that it did not take. All branches of one run share
// its steps (the trunk), so a branch is 48 bytes however long the run. Last in, first out: the deepest branch goes
// first, and what is alive at any time is one path of the enumeration tree and the branches that hang on it.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "explore/schedule.h"

namespace plait {

/// The steps of a run, shared by its branches. Counted by hand: one engine thread owns each trunk.
struct Trunk {
  u32 references;
  u32 size;
  Choice* steps() { return reinterpret_cast<Choice*>(this + 1); }
  static Trunk* make(u32 size);
  static void release(Trunk* trunk) {
    if (trunk && --trunk->references == 0) destroy(trunk);
  }
  static void destroy(Trunk*);
};

/// Alternatives at one scheduling point: the same operation with other args, then other threads.
struct Branch {
  Trunk* trunk;
  u32 point;        // the branch replaces step number `point` of the trunk
  ThreadId thread;  // whose operation has other args
  u64 args;
  ThreadSet threads;
  ThreadSet sleep;  // for the next alternative: grows by each one taken (sleep sets)
};

/// One run to do: the first `point` steps of the trunk, then one step of `thread`.
struct Alternative {
  Trunk* trunk = nullptr;  // null only for the root, the empty schedule
  u32 point = 0;
  ThreadId thread = 0;
  bool root = false;
  bool chosen = false;  // arg was chosen; otherwise the first run with this step shows which args there are
  u16 arg = 0;
  ThreadSet sleep = 0;
  std::span<const Choice> prefix() const { return {trunk ? trunk->steps() : nullptr, point}; }
};

class WorkList {
 public:
  WorkList() = default;
  WorkList(const WorkList&) = delete;
  WorkList& operator=(const WorkList&) = delete;
  ~WorkList() { clear(); }

  bool empty() const { return branches_.empty() && !root_; }
  size_t branches() const { return branches_.size(); }
  void add_root() { root_ = true; }
  void clear();
  /// How many alternatives there are, counted up to `most`.
  u32 available(u32 most) const;
  /// Steps before the one that the next alternative takes.
  u32 next_points() const { return branches_.empty() ? 0 : branches_.back().point; }
  /// The caller owns a reference to the trunk of the result.
  Alternative pop();
  /// The branches of one run: call add for each, then hand over its steps (enough for the last branch's point).
  void add(const Branch& branch) { branches_.push_back(branch); }
  void finish_run(size_t first_new_branch, std::span<const Choice> prefix, std::span<const Choice> suffix);
  /// Moves up to `most` of the oldest branches (the biggest subtrees), with trunks of their own, to `to`.
  void donate(u32 most, std::vector<Branch>& to);
  void adopt(std::vector<Branch>& from);
  /// All branches, with their steps, in at most so many parts; the list is empty then.
  std::vector<std::string> cut(size_t parts);
  void add_part(const std::string& part);

 private:
  std::vector<Branch> branches_;
  bool root_ = false;
};

}  // namespace plait

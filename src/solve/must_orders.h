// Saturation: orders that hold in every solution of a query. A cycle among them means that there is none.
#pragma once
#include "solve/solver.h"

namespace plait::solve {

class MustOrders {
 public:
  /// False when the query has no solution.
  bool saturate(const CausalModel& model, const Query& query);
  /// How far each thread and buffer must get at least: what is required, and what that cannot do without.
  const std::vector<u32>& required() const { return required_; }
  /// Steps that must have been performed before step `b` is, beyond program order: reads of required steps, forks and
  /// joins aside.
  const std::vector<u32>& first(u32 b) const { return first_[b]; }

 private:
  bool is_before(u32 a, u32 b) const { return (reach_[a * words_ + b / 64] >> (b % 64)) & 1; }
  bool add(u32 a, u32 b);  // false: a cycle
  void remember(u32 a, u32 b);
  bool require(u32 sequence, u32 length);
  bool check_read(u32 number);
  bool keeps(u32 number) const { return kept_.empty() || kept_[number]; }
  void find_kept();
  void keep(const std::vector<u32>& reads);
  bool is_overwritten(u32 write, u32 read, u128 wanted) const;

  const CausalModel* model_ = nullptr;
  const Query* query_ = nullptr;
  u32 words_ = 0;
  std::vector<u64> reach_;  // reach_[a] has bit b: a before b
  std::vector<u32> required_;
  std::vector<bool> kept_;                  // relaxed: by step, does the read return what it must for certain?
  std::vector<std::vector<u32>> decisive_;  // relaxed: by step, the reads that decide whether it happens
  std::vector<std::vector<u32>> writes_;    // by cell
  std::vector<std::vector<u32>> first_;
  bool changed_ = false;
};

}  // namespace plait::solve

// Who has touched which byte, in any run of a session (trace/byte_class.h): a file that all of its workers map.
#pragma once
#include <functional>
#include <vector>

#include "base/memory.h"
#include "trace/byte_class.h"

namespace plait {

class ClassMap {
 public:
  ClassMap();
  int descriptor() const { return file_.number(); }
  /// What was touched, in order.
  std::vector<Touched> touched() const;
  /// What runs elsewhere have touched; pieces that are damaged are left out. `share` is told what is shared by that.
  void add(const std::vector<Touched>& pieces, const std::function<void(u64 begin, u32 size)>& share);

 private:
  Descriptor file_;
};

}  // namespace plait

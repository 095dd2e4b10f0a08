// How many runs to send at once: many when they are short (a batch costs two context switches), few when they are long
// (what a batch finds is known only when all of it is done).
#pragma once
#include <algorithm>
#include <chrono>

#include "trace/session.h"

namespace plait {

class BatchSize {
 public:
  u32 get() const { return size_; }
  void begin() { begin_ = std::chrono::steady_clock::now(); }
  void end() {
    auto took = std::chrono::steady_clock::now() - begin_;
    if (took > std::chrono::milliseconds(200))
      size_ = std::max(1u, size_ / 4);
    else if (took < std::chrono::milliseconds(50))
      size_ = std::min(kBatch, size_ * 2);
  }

 private:
  u32 size_ = 8;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace plait

#include "run/batch.h"

#include <algorithm>

namespace plait {
namespace {

constexpr u32 kMostChoices = 1 << 20;  // of several runs; a single one may have more

}  // namespace

Choice* Batch::room(u32 most) {
  if (size() == kBatch || (size() > 0 && used_ + most > kMostChoices)) return nullptr;
  if (choices_.size() <= used_ + most)
    choices_.resize(std::max<size_t>(used_ + most + 1, choices_.size() * 2));  // never null
  return choices_.data() + used_;
}

void Batch::commit(const Request& request, u32 choices) {
  requests_.push_back(request);
  requests_.back().schedule = used_;
  requests_.back().choices = choices;
  used_ += choices;
}

bool Batch::add(const Request& request, std::span<const Choice> schedule) {
  Choice* to = room(static_cast<u32>(schedule.size()));
  if (!to) return false;
  std::copy(schedule.begin(), schedule.end(), to);
  commit(request, static_cast<u32>(schedule.size()));
  return true;
}

}  // namespace plait

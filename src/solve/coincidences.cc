// Which expressions were equal where threads share memory. Reads are known by their values (docs/inputs.md), so what
// could not be told apart must not become different.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "solve/input_classes.h"

namespace plait::solve {
namespace {

using Place = std::pair<u64, u32>;  // address, size

/// Are some of the bytes shared?
bool touches(const std::vector<std::pair<u64, u64>>& ranges, u64 begin, u64 end) {
  auto after = std::upper_bound(ranges.begin(), ranges.end(), begin,
                                [](u64 address, const auto& range) { return address < range.second; });
  return after != ranges.end() && after->first < end;
}

/// Places that others overlap: their values are compared byte by byte.
std::set<Place> mixed_places(const std::set<Place>& places) {
  std::set<Place> mixed;
  constexpr u64 kLargest = 8;
  for (auto one = places.begin(); one != places.end(); ++one)
    for (auto other = std::next(one); other != places.end() && other->first < one->first + kLargest; ++other)
      if (other->first < one->first + one->second) {
        mixed.insert(*one);
        mixed.insert(*other);
      }
  return mixed;
}

struct Part {
  u64 label;
  unsigned shift;
  auto operator<=>(const Part&) const = default;
};

}  // namespace

std::vector<Equality> coincidences(const std::vector<SharedValue>& shared,
                                   const std::vector<std::pair<u64, u64>>& ranges) {
  std::set<Place> places;
  std::set<u64> labelled;  // bytes that ever had a label
  for (const SharedValue& one : shared) {
    places.insert({one.address, one.size});
    if (one.label)
      for (u64 i = 0; i < one.size; ++i) labelled.insert(one.address + i);
  }
  const std::set<Place> mixed = mixed_places(places);
  std::map<std::tuple<u64, u32, u64>, std::set<Part>> found;  // place, value
  for (const SharedValue& one : shared) {
    if (!touches(ranges, one.address, one.address + one.size)) continue;
    auto concerns = labelled.lower_bound(one.address);
    if (concerns == labelled.end() || *concerns >= one.address + one.size) continue;
    if (!mixed.contains({one.address, one.size})) {
      found[{one.address, one.size, one.value}].insert({one.label, 0});
      continue;
    }
    for (unsigned i = 0; i < one.size; ++i)
      found[{one.address + i, 0, one.value >> (8 * i) & 0xff}].insert({one.label, one.label ? 8 * i : 0});
  }
  std::vector<Equality> equal;
  for (const auto& [place, parts] : found) {
    const auto& [address, size, value] = place;
    const Part first = *parts.begin();  // the constant, if there is one
    for (auto part = std::next(parts.begin()); part != parts.end(); ++part)
      equal.push_back({part->label, first.label, value, part->shift, first.shift, size ? 0u : 8u});
  }
  return equal;
}

std::vector<Equality> decisions(const RoundRecord& record) {
  std::vector<Equality> result;
  for (const LabelNode& node : record.nodes)
    if (node.decided) result.push_back({node.label, 0, node.value, 0, 0, 0});
  return result;
}

}  // namespace plait::solve

#include "depend/block.h"

namespace plait::depend {
namespace {

class Numbers {
 public:
  explicit Numbers(const std::string& bytes) : bytes_(bytes) {}
  u64 take() {
    u64 number = 0;
    for (u32 shift = 0; shift < 64; shift += 7) {
      if (at_ >= bytes_.size()) break;
      const auto byte = static_cast<u8>(bytes_[at_++]);
      number |= static_cast<u64>(byte & 0x7f) << shift;
      if (!(byte & 0x80)) return number;
    }
    good_ = false;
    return 0;
  }
  /// Every entry has at least one byte.
  u64 count() {
    const u64 number = take();
    if (number > bytes_.size()) good_ = false;
    return good_ ? number : 0;
  }
  u32 node(const UnitGraph& unit) {
    const u64 number = take();
    if (number >= unit.nodes) good_ = false;
    return static_cast<u32>(number);
  }
  bool good() const { return good_; }

 private:
  const std::string& bytes_;
  size_t at_ = 0;
  bool good_ = true;
};

}  // namespace

bool read(const Block& block, UnitGraph& unit) {
  Numbers in(block.bytes);
  const u64 nodes = in.take();
  if (nodes > 0xffffffff || nodes < depends::kCommon) return false;
  unit.nodes = static_cast<u32>(nodes);
  for (u64 n = in.count(); n > 0; --n) {
    const u32 node = in.node(unit);
    const u64 name = in.take();
    unit.names.push_back({node, name, in.take() != 0});
  }
  for (u64 n = in.count(); n > 0; --n) unit.defined.push_back(in.take());
  for (u64 n = in.count(); n > 0; --n) unit.taken.push_back(in.take());
  for (u64 n = in.count(); n > 0; --n) {
    UnitGraph::Called called;
    called.name = in.take();
    called.kind = static_cast<depends::External>(in.take());
    for (u32* node : {&called.arguments, &called.enter, &called.exit, &called.result}) *node = in.node(unit);
    unit.called.push_back(called);
  }
  for (u64 n = in.count(); n > 0; --n) {
    const u32 row = static_cast<u32>(in.take()) + block.first_row;
    const auto kind = static_cast<depends::SiteKind>(in.take());
    unit.sites.push_back({row, kind, in.node(unit)});
  }
  for (u64 n = in.count(); n > 0; --n) {
    const u32 from = in.node(unit);
    unit.edges.emplace_back(from, in.node(unit));
  }
  for (u64 n = in.count(); n > 0; --n) {
    const u64 variable = in.take();
    const u32 from = in.node(unit);
    unit.guarded.push_back({variable, from, in.node(unit)});
  }
  return in.good();
}

}  // namespace plait::depend

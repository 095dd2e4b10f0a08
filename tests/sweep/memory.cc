#include "memory.h"

namespace sweep {
namespace {

std::uint32_t bits_of(unsigned bytes) {
  std::uint32_t bits = 0;
  for (int i = 0; i < kVariableBytes; ++i)
    if (bytes >> i & 1) bits |= std::uint32_t{0xff} << (8 * i);
  return bits;
}

std::uint32_t replaced(std::uint32_t old, unsigned bytes, std::uint32_t value) {
  return (old & ~bits_of(bytes)) | (value & bits_of(bytes));
}

/// PSO: neither the same bytes nor a barrier keep `later` behind `earlier`.
bool may_overtake(const BufferedStore& later, const BufferedStore& earlier) {
  const bool overlap = later.variable == earlier.variable && (later.bytes & earlier.bytes);
  return !overlap && later.barriers == earlier.barriers;
}

}  // namespace

const char* name_of(MemoryModel model) {
  return model == MemoryModel::SC ? "sc" : model == MemoryModel::TSO ? "tso" : "pso";
}

std::uint32_t seen(const Variables& variables, const StoreBuffer& buffer, int variable) {
  std::uint32_t value = variables[static_cast<std::size_t>(variable)];
  for (const BufferedStore& store : buffer.stores)
    if (store.variable == variable) value = replaced(value, store.bytes, store.value);
  return value;
}

void write(Variables& variables, int variable, unsigned bytes, std::uint32_t value) {
  std::uint32_t& old = variables[static_cast<std::size_t>(variable)];
  old = replaced(old, bytes, value);
}

std::vector<std::size_t> flushable(const StoreBuffer& buffer, MemoryModel model) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < buffer.stores.size(); ++i) {
    bool can = i == 0 || model == MemoryModel::PSO;
    for (std::size_t older = 0; can && older < i; ++older) can = may_overtake(buffer.stores[i], buffer.stores[older]);
    if (can) places.push_back(i);
  }
  return places;
}

void flush(Variables& variables, StoreBuffer& buffer, std::size_t place) {
  const BufferedStore store = buffer.stores[place];
  write(variables, store.variable, store.bytes, store.value);
  buffer.stores.erase(buffer.stores.begin() + static_cast<std::ptrdiff_t>(place));
}

}  // namespace sweep

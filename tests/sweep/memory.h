// The memory of a sweep program under a memory model, by the rules of docs/memory-models.md.
//
// Stores wait in a buffer of their thread under TSO and PSO. Bytes that only one thread uses go straight to memory: a
// store that also has such bytes leaves only the others in the buffer.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "program.h"

namespace sweep {

enum class MemoryModel { SC, TSO, PSO };
inline constexpr MemoryModel kMemoryModels[] = {MemoryModel::SC, MemoryModel::TSO, MemoryModel::PSO};

/// As the command spells it.
const char* name_of(MemoryModel model);

inline constexpr int kVariableBytes = 4;
inline constexpr unsigned kAllBytes = 15;  // sets of bytes are masks, the lowest byte is bit 0

using Bytes = std::array<unsigned, kCells>;  // a set of bytes of each variable

struct BufferedStore {
  int variable;  // or kCells and the number of a struct
  unsigned bytes;
  std::uint32_t value;  // in the places of the bytes
  int barriers;         // that the thread had met when it stored
  char access;          // the operation's letter
  bool atomic;
};

struct StoreBuffer {
  std::vector<BufferedStore> stores;  // the oldest first
  int barriers = 0;
};

using Variables = std::array<std::uint32_t, kCells>;

/// What a thread with this buffer sees in a variable.
std::uint32_t seen(const Variables& variables, const StoreBuffer& buffer, int variable);

/// Memory takes the given bytes of the value.
void write(Variables& variables, int variable, unsigned bytes, std::uint32_t value);

/// The places in the buffer of the stores that can reach memory next.
std::vector<std::size_t> flushable(const StoreBuffer& buffer, MemoryModel model);

void flush(Variables& variables, StoreBuffer& buffer, std::size_t place);

}  // namespace sweep

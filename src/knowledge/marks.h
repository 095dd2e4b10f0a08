// Places and memory in messages of the engine, which does not know their names: marks that whoever has the program's
// tables replaces by words (report/marks.h).
#pragma once
#include <fmt/format.h>

#include <string>

#include "trace/event.h"

namespace plait {

inline std::string place_mark(u32 site) { return fmt::format("\x01{:x}\x02", site); }
inline std::string memory_mark(u64 address) { return fmt::format("\x03{:x}\x02", address); }

}  // namespace plait

// Messages of the engine, with names in place of the marks of knowledge/marks.h.
#pragma once
#include <string>

#include "report/program_map.h"

namespace plait {

std::string with_names(const std::string& text, const ProgramMap& map);

}  // namespace plait

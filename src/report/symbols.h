// From addresses of code to places in the source, inlined functions included: asks LLVM's symbolizer, once for all.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "report/program_map.h"

namespace plait {

/// For each address the places there, innermost first. Without the symbolizer, or without debug information: fewer.
std::map<u64, std::vector<Place>> places_in_code(const std::string& program, const std::set<u64>& addresses);

}  // namespace plait

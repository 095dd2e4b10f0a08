// Compiler flags that come from a file which somebody else may have made.
#pragma once
#include <string>
#include <vector>

namespace plait {

/// The first of these flags that is not known to do no more than change how sources are compiled: one that names an
/// output, loads a plugin, or hands words on to other programs. Empty: all are harmless.
std::string first_risky_flag(const std::vector<std::string>& flags);

/// The first flag that says what the compiler shall make, and where (-o, -c, -E ...): that is ours to say.
std::string first_output_flag(const std::vector<std::string>& flags);

}  // namespace plait

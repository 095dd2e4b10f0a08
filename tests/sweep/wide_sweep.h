// Very many programs, each asked in two ways only: the families in turn, a portion of each at a time.
#pragma once
#include <cstdint>
#include <string>

#include "answers.h"

namespace sweep {

/// Goes on until there are `programs` in all, counted over all sweeps with the same file: it holds how far each family
/// is, so that a sweep which was stopped can be taken up again. Prints a table in the end, also of what earlier sweeps
/// found. Whether nothing was wrong.
bool sweep_widely(const Sources& sources, const std::string& file, std::uint64_t programs);

}  // namespace sweep

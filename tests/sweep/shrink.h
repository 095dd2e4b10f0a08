// Makes a failing program small, so that a person can read it.
#pragma once
#include <functional>

#include "program.h"

namespace sweep {

/// Removes threads and operations while `fails` holds. `fails` is only asked about well-formed programs.
Program shrink(Program program, const std::function<bool(const Program&)>& fails);

}  // namespace sweep

// Random programs for the sweep, the same program for the same seed on every machine.
#pragma once
#include <cstdint>

#include "program.h"

namespace sweep {

/// A well-formed program of two to five threads without misuse of locks, with one meaning, and with at most `limit`
/// interleavings under each memory model, deadlocking ones included (the enumerator decides; programs beyond are thrown
/// away and drawn again).
Program generate(std::uint64_t seed, std::uint64_t limit);

}  // namespace sweep

// The outside world as inputs: what engine and runtime agree on.
#pragma once
#include "trace/types.h"

namespace plait {

/// In the environment of a worker, for each free text a word; they are separated by semicolons. "a": an argument (the
/// last ones of them), "s5": five bytes of standard input, "eNAME": a variable. Arguments and variables have the
/// length that they are free to have.
inline constexpr const char* kOutsideVariable = "PLAIT_OUTSIDE_INPUTS";
inline constexpr u32 kMostFreeTexts = 64, kMostFreeBytes = 1024;  // all together

}  // namespace plait

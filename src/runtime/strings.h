// State that libc's string functions keep.
#pragma once

namespace plait::runtime {

/// A new run begins.
void reset_strings();

}  // namespace plait::runtime

// Which bugs are one to a reader?
#pragma once
#include <string>

#include "report/bug.h"

namespace plait {

/// What makes two bugs look the same.
std::string appearance(const Bug& bug);

}  // namespace plait

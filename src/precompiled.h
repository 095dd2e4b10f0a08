// What most files of the engine include, compiled once (cmake/PrecompiledHeaders.cmake). No file may rely on it: each
// includes what it uses, for builds without precompiled headers.
#pragma once
#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "explore/explorer.h"
#include "report/json.h"

// What the options of a check mean to its parts.
#pragma once
#include "engine/check_options.h"
#include "explore/explorer.h"
#include "host/worker.h"

namespace plait {

SessionOptions session_options(const CheckOptions& options);
ExploreOptions explore_options(const CheckOptions& options);
WorkerOptions worker_options(const CheckOptions& options);

}  // namespace plait

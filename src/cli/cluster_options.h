// Options of `plait worker`, `plait cluster`, and of `plait check --cluster`.
#pragma once
#include <CLI/CLI.hpp>

#include "cli/options.h"

namespace plait {

void add_cluster(CLI::App& group, CheckOptions& o);
void add_worker_options(CLI::App& app, cluster::WorkerCommand& command);
void add_cluster_options(CLI::App& app, ClusterCommand& command);

}  // namespace plait

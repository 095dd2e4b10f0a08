#include "cli/cluster_options.h"

namespace plait {
namespace {

constexpr const char* kKey =
    "file with a key that all share: programs, tasks and results that are not signed with it are refused";

}  // namespace

void add_cluster(CLI::App& group, CheckOptions& o) {
  group
      .add_option("--cluster", o.cluster,
                  "let the workers at this Redis server explore (redis://[USER:PASSWORD@]HOST[:PORT])")
      ->type_name("URL");
  group.add_option("--key", o.key, std::string("--cluster: ") + kKey)->type_name("FILE");
  group.add_option("--cluster-patience", o.cluster_patience, "--cluster: how long the server may be away")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->type_name("SECONDS");
}

void add_worker_options(CLI::App& app, cluster::WorkerCommand& command) {
  app.add_option("URL", command.url, "the Redis server: redis://[USER:PASSWORD@]HOST[:PORT]")
      ->required()
      ->type_name("URL");
  app.add_option("-j,--jobs", command.jobs, "worker processes; default: all cores")
      ->check(CLI::Range(1u, 256u))
      ->type_name("N");
  app.add_option("--key", command.key_file, kKey)->type_name("FILE");
  app.add_option("--allow", command.allow,
                 "run only the program whose file has this SHA-256 (sha256sum PROGRAM); may be said several times")
      ->type_name("HASH")
      ->allow_extra_args(false);
  app.add_option("--cache", command.cache, "where programs are kept; default: plait in the user's cache directory")
      ->type_name("DIR");
  app.add_option("--lease", command.lease,
                 "a task that nobody has been heard of for so long is given to another worker")
      ->check(CLI::Range(0.2, 3600.0))
      ->capture_default_str()
      ->type_name("SECONDS");
  app.add_flag("-q,--quiet", command.quiet, "say nothing");
}

void add_cluster_options(CLI::App& app, ClusterCommand& command) {
  app.add_option("URL", command.url, "the Redis server: redis://[USER:PASSWORD@]HOST[:PORT]")
      ->required()
      ->type_name("URL");
  app.add_option("--format", command.format, "text: for people, on a terminal until Ctrl-C; json: one object")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str()
      ->type_name("FORMAT");
}

}  // namespace plait

// The program on its way to machines that do not have it: the file itself, the shared libraries that it needs, its
// standard input, its environment. All by the hashes of their contents.
//
// A worker uses its own file where that is the same as ours, else what it was sent. The C library and the dynamic
// linker are not sent: they belong to the machine, and must be the same.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/json.h"
#include "run/program.h"

namespace plait::cluster {

struct ShippedFile {
  std::string path;  // here
  std::string hash;
};

struct Shipment {
  Program program;        // as it is named here
  std::string hash;       // of its file
  std::string directory;  // where it runs
  std::string input;      // hash of its standard input; empty: none
  std::vector<ShippedFile> libraries;
  Program::Environment environment;
};

/// `keep` takes the contents of a file and returns its hash (Dispatcher::keep). Throws Error (usage).
Shipment pack(const Program& program, const std::function<std::string(const std::string&)>& keep);
Json shipment_to_json(const Shipment& shipment);
Shipment shipment_from_json(const Json& json);

/// What a worker has received, in a directory of its own.
class Cache {
 public:
  /// Created if needed. Throws Error (usage) if it is not ours alone.
  explicit Cache(const std::string& directory);
  /// Where caches are if nobody says anything else.
  static std::string standard_directory();
  using Fetch = std::function<std::optional<std::string>(const std::string& hash)>;
  /// What to run. Goes to the directory where the program runs. Throws Error with what is missing.
  Program unpack(const Shipment& shipment, const Fetch& fetch) const;

 private:
  std::string file(const std::string& hash, const Fetch& fetch) const;
  bool is_whole(const std::string& path, const std::string& hash) const;
  std::string libraries(const Shipment& shipment, const Fetch& fetch) const;

  std::string directory_;
  mutable std::map<std::string, std::string> looked_at_;  // which file, as it was then -> its hash
};

}  // namespace plait::cluster

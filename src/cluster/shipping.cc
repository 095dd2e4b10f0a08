#include "cluster/shipping.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "base/error.h"
#include "cluster/messages.h"
#include "cluster/seal.h"
#include "host/program.h"
#include "report/files.h"

extern char** environ;

namespace plait::cluster {
namespace {

namespace fs = std::filesystem;

constexpr time_t kOld = 24 * 3600 * 14;  // nobody has used it since

std::optional<std::string> content_of(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return std::nullopt;
  return read_all(file.number());
}

std::string required_content(const std::string& path) {
  std::optional<std::string> content = content_of(path);
  if (!content) throw Error(kExitUsage, fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  return std::move(*content);
}

/// Parts of the C library, which fit each other and the kernel.
bool belongs_to_machine(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  for (const char* begin : {"ld-linux", "libc.so", "libm.so", "libpthread.so", "libdl.so", "librt.so", "libresolv.so"})
    if (name.starts_with(begin)) return true;
  return false;
}

/// What the dynamic linker would load, as ldd tells.
std::vector<std::string> needed_libraries(const Program& program) {
  const Descriptor output = make_memory_file("plait-libraries", 0);
  Launch launch = program_launch(program);
  launch.arguments.clear();
  launch.environment.emplace_back("LD_TRACE_LOADED_OBJECTS", "1");
  launch.output = output.number();
  Process process(launch);
  const ProcessEnd end = process.wait();
  if (end.signal != 0 || end.exit_code != 0)
    throw Error(kExitUsage, fmt::format("'{}' {} when asked for its libraries", program.path, end.text()));
  std::istringstream lines(read_all(reopen_for_reading(output.number()).number()));
  std::vector<std::string> paths;
  for (std::string line; std::getline(lines, line);) {
    const size_t slash = line.find('/'), end_of_path = line.rfind(" (0x");
    if (line.find("not found") != std::string::npos)
      throw Error(kExitUsage, fmt::format("'{}' needs a library that is not here: {}", program.path, line.substr(1)));
    if (slash != std::string::npos && end_of_path != std::string::npos && slash < end_of_path)
      paths.push_back(line.substr(slash, end_of_path - slash));
  }
  return paths;
}

}  // namespace

Shipment pack(const Program& program, const std::function<std::string(const std::string&)>& keep) {
  Shipment shipment;
  shipment.program = program;
  shipment.hash = keep(required_content(program.path));
  shipment.directory = fs::current_path().string();
  if (!program.input_path.empty()) shipment.input = keep(required_content(program.input_path));
  for (const std::string& path : needed_libraries(program)) {
    const std::string content = required_content(path);
    shipment.libraries.push_back({path, belongs_to_machine(path) ? content_hash(content) : keep(content)});
  }
  for (char** entry = environ; *entry; ++entry) {
    const std::string text = *entry;
    const size_t equals = text.find('=');
    if (equals != std::string::npos) shipment.environment.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return shipment;
}

Json shipment_to_json(const Shipment& shipment) {
  Json arguments = Json::array(), libraries = Json::array(), environment = Json::array();
  for (const std::string& argument : shipment.program.arguments) arguments.push_back(text_to_json(argument));
  for (const ShippedFile& file : shipment.libraries) libraries.push_back({text_to_json(file.path), file.hash});
  for (const auto& [name, value] : shipment.environment)
    environment.push_back({text_to_json(name), text_to_json(value)});
  return {{"path", text_to_json(shipment.program.path)},
          {"arguments", arguments},
          {"hash", shipment.hash},
          {"directory", text_to_json(shipment.directory)},
          {"input", shipment.input},
          {"libraries", libraries},
          {"environment", environment}};
}

Shipment shipment_from_json(const Json& json) {
  Shipment shipment;
  shipment.program.path = text_from_json(json.at("path"));
  for (const Json& argument : json.at("arguments")) shipment.program.arguments.push_back(text_from_json(argument));
  shipment.hash = json.at("hash");
  shipment.directory = text_from_json(json.at("directory"));
  shipment.input = json.at("input");
  for (const Json& file : json.at("libraries")) shipment.libraries.push_back({text_from_json(file.at(0)), file.at(1)});
  for (const Json& entry : json.at("environment"))
    shipment.environment.emplace_back(text_from_json(entry.at(0)), text_from_json(entry.at(1)));
  return shipment;
}

std::string Cache::standard_directory() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache) return std::string(cache) + "/plait";
  if (const char* home = std::getenv("HOME"); home && *home) return std::string(home) + "/.cache/plait";
  return fmt::format("/tmp/plait-{}", getuid());
}

Cache::Cache(const std::string& directory) : directory_(fs::absolute(directory).string()) {
  std::error_code error;
  if (!fs::is_directory(directory_, error)) {
    fs::create_directories(directory_, error);
    if (!error) fs::permissions(directory_, fs::perms::owner_all, error);
  }
  struct stat info{};
  if (stat(directory_.c_str(), &info) != 0)
    throw Error(kExitUsage, fmt::format("cannot make the cache '{}': {}", directory_, std::strerror(errno)));
  if (info.st_uid != getuid() || (info.st_mode & (S_IWGRP | S_IWOTH)))
    throw Error(kExitUsage, fmt::format("others can write to '{}': programs that are run must not lie there "
                                        "(--cache DIR)",
                                        directory_));
  const time_t old = time(nullptr) - kOld;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_, error))
    if (stat(entry.path().c_str(), &info) == 0 && std::max(info.st_atime, info.st_mtime) < old)
      fs::remove_all(entry.path(), error);
}

/// Is that file there, with this content? Large files are read once.
bool Cache::is_whole(const std::string& path, const std::string& hash) const {
  struct stat info{};
  if (stat(path.c_str(), &info) != 0) return false;
  const std::string as_it_is =
      fmt::format("{} {} {}.{} {}", path, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec, info.st_ino);
  const auto [known, is_new] = looked_at_.try_emplace(as_it_is);
  if (is_new) known->second = content_hash(content_of(path).value_or(""));
  return known->second == hash;
}

std::string Cache::file(const std::string& hash, const Fetch& fetch) const {
  const bool plain = hash.size() == 64 && hash.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!plain) throw Error(kExitInternal, "a file's hash is damaged");
  const std::string path = directory_ + "/" + hash;
  std::error_code error;
  if (is_whole(path, hash)) return path;
  const std::optional<std::string> content = fetch(hash);
  if (!content) throw Error(kExitInternal, fmt::format("Redis does not have the file {} any more", hash));
  if (content_hash(*content) != hash)
    throw Error(kExitInternal, fmt::format("what Redis has as file {} is another one", hash));
  // Several workers may do this at once: under a name of its own first.
  const std::string fresh = fmt::format("{}.{}", path, getpid());
  write_file(fresh, *content);
  fs::permissions(fresh, fs::perms::owner_read | fs::perms::owner_exec, error);
  fs::rename(fresh, path, error);
  if (error) throw Error(kExitUsage, fmt::format("cannot write '{}': {}", path, error.message()));
  return path;
}

/// The directory with those that this machine does not have, or has otherwise; empty: it has all.
std::string Cache::libraries(const Shipment& shipment, const Fetch& fetch) const {
  std::string names;
  std::error_code error;
  std::vector<std::pair<std::string, std::string>> links;
  for (const ShippedFile& library : shipment.libraries) {
    if (is_whole(library.path, library.hash)) continue;
    if (belongs_to_machine(library.path))
      throw Error(kExitUsage, fmt::format("'{}' is {} here: the C library must be the same on all machines",
                                          library.path, fs::exists(library.path, error) ? "another one" : "missing"));
    links.emplace_back(fs::path(library.path).filename().string(), file(library.hash, fetch));
    names += links.back().first + links.back().second;
  }
  if (links.empty()) return "";
  const std::string directory = directory_ + "/libraries-" + content_hash(names).substr(0, 16);
  fs::create_directories(directory, error);
  for (const auto& [name, target] : links) fs::create_symlink(target, directory + "/" + name, error);
  return directory;
}

Program Cache::unpack(const Shipment& shipment, const Fetch& fetch) const {
  const std::string own_path = file(shipment.hash, fetch);
  require_instrumented(own_path);
  Program program = shipment.program;
  program.file = std::make_shared<ProgramFile>(own_path);
  program.input_path = shipment.input.empty() ? "" : file(shipment.input, fetch);
  const std::string more = libraries(shipment, fetch);
  Program::Environment environment = shipment.environment;
  if (!more.empty()) {
    const auto search = std::find_if(environment.begin(), environment.end(),
                                     [](const auto& entry) { return entry.first == "LD_LIBRARY_PATH"; });
    if (search == environment.end())
      environment.emplace_back("LD_LIBRARY_PATH", more);
    else
      search->second = more + ":" + search->second;
  }
  program.environment = std::make_shared<Program::Environment>(std::move(environment));
  // Files that it opens by relative names, if they are here. Where it runs is no part of what it is.
  if (chdir(shipment.directory.c_str()) != 0) (void)!chdir("/");
  return program;
}

}  // namespace plait::cluster

#include "report/program_map.h"

#include <cxxabi.h>
#include <fmt/core.h>

#include <cctype>
#include <charconv>
#include <cstdlib>

#include "base/error.h"
#include "report/layout.h"

namespace plait {
namespace {

constexpr size_t kLongestFunction = 80;

[[noreturn]] void damaged(const std::string& what) {
  throw Error(kExitInternal, "the program's tables are damaged (" + what + "): compile it again");
}

std::vector<std::string> split_fields(std::string_view line) {
  std::vector<std::string> fields(1);
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\t') {
      fields.emplace_back();
    } else if (line[i] == '\\' && i + 1 < line.size()) {
      char c = line[++i];
      fields.back() += c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c;
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

template <class T>
T number(const std::string& text, int base = 10) {
  std::string_view digits = text;
  if (base == 16 && digits.starts_with("0x")) digits.remove_prefix(2);
  T value{};
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc() || end != digits.data() + digits.size()) damaged("number '" + text + "'");
  return value;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

/// "main::$_0::operator()(int) const" is main's lambda.
std::string with_lambdas(std::string name) {
  for (size_t at; (at = name.find("::$_")) != std::string::npos;) {
    size_t end = at + 4;
    while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end]))) ++end;
    constexpr std::string_view kCall = "::operator()(";
    if (std::string_view(name).substr(end).starts_with(kCall)) {
      const size_t close = name.find(')', end + kCall.size());
      end = close == std::string::npos ? end : close + 1;
      if (std::string_view(name).substr(end).starts_with(" const")) end += 6;
    }
    name.replace(at, end - at, "::(lambda)");
  }
  return name;
}

}  // namespace

bool in_system_header(const std::string& file) {
  return file.starts_with("/usr/") || file.find("/lib/gcc/") != std::string::npos ||
         file.find("/include/c++/") != std::string::npos;
}

std::string short_place(const Place& place) {
  if (!place.known()) return "?";
  size_t slash = place.file.rfind('/');
  return fmt::format("{}:{}", slash == std::string::npos ? place.file : place.file.substr(slash + 1), place.line);
}

std::string readable_function(const std::string& mangled) {
  if (!mangled.starts_with("_Z")) return mangled;  // "m" would demangle to a type
  int status = 0;
  char* raw = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  if (!raw) return mangled;
  std::string name = raw;
  std::free(raw);
  replace_all(name, "std::__cxx11::", "std::");
  replace_all(name, "std::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string");
  replace_all(name, "(anonymous namespace)::", "");
  name = with_lambdas(name);
  if (name.size() > kLongestFunction) {
    // Arguments and template arguments are what makes names long; the qualified name is what people know.
    std::string shorter;
    int depth = 0;
    for (char c : name) {
      if (c == '<' || c == '(') ++depth;
      if (depth == 0) shorter += c;
      if ((c == '>' || c == ')') && depth > 0) --depth;
    }
    name = shorter;
  }
  return name;
}

ProgramMap ProgramMap::parse(std::string_view text) {
  ProgramMap map;
  u64 lines = 0;
  bool ended = false;
  while (!text.empty()) {
    size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.starts_with("E\t")) {
      if (number<u64>(std::string(line.substr(2))) != lines) damaged("wrong number of lines");
      ended = true;
      break;
    }
    map.parse_line(line);
    ++lines;
  }
  if (!ended) damaged("the end is missing");
  return map;
}

void ProgramMap::parse_line(std::string_view line) {
  std::vector<std::string> f = split_fields(line);
  if (f[0] == "S" && f.size() == 8) {
    Place place{f[5], number<u32>(f[3]), number<u32>(f[4]), readable_function(f[6]), f[7]};
    sites_[number<u32>(f[1])] = SiteEntry{number<i64>(f[2]), std::move(place)};
  } else if (f[0] == "G" && f.size() == 6) {
    const u64 begin = number<u64>(f[1], 16);
    Place place{f[4], number<u32>(f[3]), 0, "", ""};
    variables_[begin] = Variable{begin, number<u64>(f[2]), readable_function(f[5]), std::move(place), {}};
  } else if (f[0] == "Y" && f.size() == 5 && f[1] == "site") {
    types_[number<u32>(f[2])] = {f[3], f[4]};
  } else if (f[0] == "Y" && f.size() == 5) {
    if (auto found = variables_.find(number<u64>(f[2], 16)); found != variables_.end())
      found->second.type = {f[3], f[4]};
  } else if (f[0] == "T" && f.size() == 5) {
    u32 thread = number<u32>(f[2]);
    std::string owner = thread == 0 ? "main" : fmt::format("T{}", thread);
    arenas_.push_back({number<u64>(f[3], 16), number<u64>(f[4], 16), fmt::format("{} of {}", f[1], owner)});
  } else {
    damaged("line '" + std::string(line.substr(0, 60)) + "'");
  }
}

std::vector<Place> ProgramMap::frames(u32 site) const {
  std::vector<Place> result;
  i64 at = site == kNoSite ? -1 : i64{site};
  while (at >= 0 && result.size() < 64) {
    auto found = sites_.find(static_cast<u32>(at));
    if (found == sites_.end()) break;
    result.push_back(found->second.place);
    at = found->second.parent;
  }
  return result;
}

Place ProgramMap::place(u32 site) const {
  std::vector<Place> chain = frames(site);
  for (const Place& place : chain)
    if (!in_system_header(place.file)) return place;
  return chain.empty() ? Place{} : chain.front();
}

std::string ProgramMap::expression(u32 site) const {
  std::vector<Place> chain = frames(site);
  return chain.empty() ? "" : chain.front().text;
}

bool LibraryCall::is_system() const {
  for (const char* name : {"libc.so", "libm.so", "libstdc++.so", "libgcc_s.so", "ld-linux", "libatomic.so"})
    if (library.starts_with(name)) return true;
  return false;
}

bool LibraryCall::is_of_c_library() const {
  return (library.starts_with("libc.so.") || library.starts_with("libm.so.")) && !function.starts_with("__");
}

std::optional<LibraryCall> ProgramMap::library_call(u32 site) const {
  const std::string text = expression(site);
  if (text.empty() || text[0] != kCallText) return std::nullopt;
  const size_t blank = text.find(' ');
  if (text.size() == 1) return LibraryCall{"a call through a pointer", ""};
  return LibraryCall{readable_function(text.substr(1, blank == std::string::npos ? blank : blank - 1)),
                     blank == std::string::npos ? "" : text.substr(blank + 1)};
}

const ProgramMap::Variable* ProgramMap::variable_at(u64 address) const {
  auto after = variables_.upper_bound(address);
  if (after == variables_.begin()) return nullptr;
  const Variable& variable = std::prev(after)->second;
  return address == variable.begin || address - variable.begin < variable.size ? &variable : nullptr;
}

const ProgramMap::Type* ProgramMap::type_at(u32 site) const {
  auto found = types_.find(site);
  return found == types_.end() ? nullptr : &found->second;
}

std::optional<std::string> ProgramMap::variable(u64 address, u64 size) const {
  const Variable* variable = variable_at(address);
  if (!variable) return std::nullopt;
  const Part part = part_at(variable->type.layout, address - variable->begin, size);
  return variable->name + part.path + (part.rest ? fmt::format("+{}", part.rest) : "");
}

std::string ProgramMap::name(u64 address) const {
  if (auto name = variable(address)) return *name;
  for (const Arena& arena : arenas_)
    if (address >= arena.begin && address < arena.end)
      return fmt::format("{} +{:#x}", arena.name, address - arena.begin);
  return fmt::format("{:#x}", address);
}

}  // namespace plait

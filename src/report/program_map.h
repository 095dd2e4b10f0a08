// The program's own tables (sites, global variables, arenas), read from what it writes when asked (host/describe.h),
// and the questions that reports have about them: where is this site, what is at this address.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/event.h"

namespace plait {

/// A place in the source. An empty file means unknown.
struct Place {
  std::string file;
  u32 line = 0;
  u32 column = 0;
  std::string function;  // demangled
  std::string text;      // what is accessed there, as source; may be empty
  bool known() const { return !file.empty(); }
  bool operator==(const Place&) const = default;
};

/// A call by name of a function that was not compiled with the unit that calls it.
struct LibraryCall {
  std::string function;  // demangled
  std::string library;   // "libtbb.so.12"; empty: no shared library has it
  /// The C and C++ libraries': their calls are looked after one by one.
  bool is_system() const;
  /// The C library's own code, not what stands in for it.
  bool is_of_c_library() const;
};

/// "bank.cc:14", or "?" when unknown.
std::string short_place(const Place&);

/// Part of a library's headers rather than of the user's code.
bool in_system_header(const std::string& file);

class ProgramMap {
 public:
  ProgramMap() = default;
  /// Throws Error when the text is damaged or cut off.
  static ProgramMap parse(std::string_view text);

  /// The site and, outwards, the places that it was inlined into.
  std::vector<Place> frames(u32 site) const;
  /// The innermost frame that is not inside a system header: what a user wants to see.
  Place place(u32 site) const;
  /// What is accessed there, as source, also if that happens in a library's function that was inlined; may be empty.
  std::string expression(u32 site) const;
  std::optional<LibraryCall> library_call(u32 site) const;
  /// "balance", "table[+12]", "heap of T1 +0x40": never empty.
  std::string name(u64 address) const;
  /// The same for global variables only; the part of them that holds `size` bytes there.
  std::optional<std::string> variable(u64 address, u64 size = 1) const;

  struct Type {
    std::string name, layout;  // report/layout.h
  };
  struct Variable {
    u64 begin = 0, size = 0;
    std::string name;
    Place place;
    Type type;
  };
  /// The global variable that these bytes belong to; null: none.
  const Variable* variable_at(u64 address) const;
  /// The type of what is allocated or begins to live at the site; null: not known.
  const Type* type_at(u32 site) const;

 private:
  struct SiteEntry {
    i64 parent;
    Place place;
  };
  struct Arena {
    u64 begin, end;
    std::string name;
  };
  void parse_line(std::string_view line);

  std::map<u32, SiteEntry> sites_;
  std::map<u64, Variable> variables_;
  std::map<u32, Type> types_;
  std::vector<Arena> arenas_;
};

/// Demangled, with the noise of the standard library taken out.
std::string readable_function(const std::string& mangled);

}  // namespace plait

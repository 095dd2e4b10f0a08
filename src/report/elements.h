// Containers keep their elements in blocks of the heap. People know them by the container: `log[3]`,
// `scores["ann"].balance`, not by the block.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "report/account.h"
#include "report/layout.h"
#include "report/program_map.h"

namespace plait {

/// What a block is to the container whose elements lie there.
struct Element {
  enum Kind {
    Items,  // an array of them, in order
    Node,   // one element, beside the container's links
    Some,   // others
    Inner   // the container's own tables
  } kind = Inner;
  std::string owner, key;  // the container's name; "[\"ann\"]" or "[..]"
  u64 stride = 0, header = 0;
  std::string layout;

  /// Of bytes in the block.
  std::string name(u64 offset, u64 size) const;
  /// Of the block as a whole.
  std::string name() const;
};

class Elements {
 public:
  using Namer = std::function<std::string(u64 address)>;
  /// `name_of` names the container that begins at an address.
  Elements(const ProgramMap&, const Account&, std::span<const Event>, Namer name_of);
  /// Null: the block is no part of a container with a name.
  const Element* of(const AccountBlock&);
  /// Where the container begins whose part the block is.
  std::optional<u64> container_of(const AccountBlock&) const;

 private:
  /// The container that leads to the block: where it begins, and what it is.
  struct Owner {
    u64 address;
    ContainerPart part;
  };
  std::optional<Owner> owner_of(const AccountBlock&) const;
  std::optional<Owner> container(u64 address) const;
  bool is_internal(const AccountBlock&) const;
  std::optional<Element> make(const AccountBlock&);
  std::string key_of(const AccountBlock&, std::string_view layout) const;
  std::string text_at(const AccountBlock&, u64 offset) const;

  const ProgramMap& map_;
  const Account& account_;
  const Namer name_of_;
  std::multimap<u64, u64> pointers_;  // by the block that they lead to: where they lie
  std::map<u64, std::optional<Element>> known_;
};

/// The type of what is in the block, as people know it; empty: they do not.
std::string readable_type(const std::string& type);

/// "scores" of `the key of scores["ann"]`.
std::string container_in(std::string name);

/// The layout of a block that has only one such object: without the array.
std::string block_layout(const std::string& layout, u64 size);

}  // namespace plait

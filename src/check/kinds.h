// Properties: which ends of a run are bugs of the program, what they are called, and when two of them are the same bug.
// This folder owns findings and their confirmation by replay; it may depend on explore/ and below.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/event.h"

namespace plait {

/// The name in JSON and in reports: "assertion", "deadlock" ...
std::string_view kind_name(FailureKind);
std::optional<FailureKind> kind_from_name(std::string_view);

/// In words: "assertion failed".
std::string_view kind_title(FailureKind);

/// False for what is Plait's limit and not the program's fault: Unsupported, Divergence, OutOfResources.
bool is_bug(FailureKind);

/// Would the program go on behind it, outside of Plait? (A failed assertion ends it, a read of freed memory does not.)
bool may_go_on(FailureKind);

/// Kinds of failures that count as bugs. The others are noted, and the exploration goes on.
class KindSet {
 public:
  /// What the command checks unless it is told otherwise: all but what is legal.
  static KindSet standard();
  static KindSet all();
  static KindSet none() { return KindSet(0); }
  /// "race,deadlock"; also "all" and "standard". Throws std::invalid_argument with a sentence that lists the names.
  static KindSet parse(const std::string& list);
  bool contains(FailureKind kind) const { return bits_ >> static_cast<unsigned>(kind) & 1; }
  void add(const KindSet& other) { bits_ |= other.bits_; }
  void remove(const KindSet& other) { bits_ &= ~other.bits_; }
  std::vector<std::string> names() const;
  bool operator==(const KindSet&) const = default;

 private:
  explicit KindSet(u64 bits) : bits_(bits) {}
  u64 bits_;
};

/// Names that --check and --ignore take, those of sets of kinds included.
std::vector<std::string> kind_choices();

/// In words: "all kinds but race", "race, deadlock".
std::string checked_text(const KindSet&);

}  // namespace plait

// What travels is named by its hash, and signed if there is a key.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace plait::cluster {

/// SHA-256, in hexadecimal.
std::string content_hash(std::string_view bytes);

/// Signs with HMAC-SHA-256, or does nothing if there is no key. `about` says what the bytes are for: bytes that were
/// signed for one thing are not taken for another.
class Seal {
 public:
  Seal() = default;
  explicit Seal(std::string key) : key_(std::move(key)) {}
  bool has_key() const { return !key_.empty(); }
  std::string close(std::string_view about, std::string_view bytes) const;
  /// Nothing: it is not signed with this key.
  std::optional<std::string> open(std::string_view about, std::string_view sealed) const;

 private:
  std::string signature(std::string_view about, std::string_view bytes) const;
  std::string key_;
};

/// The key in a file: all of its bytes but for line ends behind. Throws Error (usage). An empty name: no key.
Seal read_key(const std::string& file);

}  // namespace plait::cluster

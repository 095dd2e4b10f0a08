#include "cluster/seal.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/memory.h"

namespace plait::cluster {
namespace {

constexpr size_t kSignature = 32;
constexpr size_t kLeastKey = 16;

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

}  // namespace

std::string content_hash(std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest, &size, EVP_sha256(), nullptr) != 1)
    throw Error(kExitInternal, "SHA-256 does not work");
  std::string text;
  for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

std::string Seal::signature(std::string_view about, std::string_view bytes) const {
  // The length in front: no two pairs look the same.
  const std::string signed_bytes = fmt::format("{} {}", about.size(), about) + std::string(bytes);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (!HMAC(EVP_sha256(), key_.data(), static_cast<int>(key_.size()), bytes_of(signed_bytes), signed_bytes.size(),
            digest, &size))
    throw Error(kExitInternal, "HMAC does not work");
  return {reinterpret_cast<const char*>(digest), size};
}

std::string Seal::close(std::string_view about, std::string_view bytes) const {
  return (has_key() ? signature(about, bytes) : std::string(kSignature, '\0')) + std::string(bytes);
}

std::optional<std::string> Seal::open(std::string_view about, std::string_view sealed) const {
  if (sealed.size() < kSignature) return std::nullopt;
  const std::string_view bytes = sealed.substr(kSignature);
  if (has_key() && CRYPTO_memcmp(signature(about, bytes).data(), sealed.data(), kSignature) != 0) return std::nullopt;
  return std::string(bytes);
}

Seal read_key(const std::string& file) {
  if (file.empty()) return {};
  const Descriptor opened(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!opened.valid()) throw Error(kExitUsage, fmt::format("cannot read the key '{}': {}", file, std::strerror(errno)));
  std::string key = read_all(opened.number());
  while (!key.empty() && (key.back() == '\n' || key.back() == '\r')) key.pop_back();
  if (key.size() < kLeastKey)
    throw Error(kExitUsage, fmt::format("the key '{}' has fewer than {} bytes: openssl rand -hex 32 makes a good one",
                                        file, kLeastKey));
  return Seal(std::move(key));
}

}  // namespace plait::cluster

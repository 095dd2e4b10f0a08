// Relations between two events of a run (paper 001 §2, docs/runtimes.md): what must stay in order, what interferes,
// what enables what. Made of named building blocks, from a runtime's hello or from relations.toml.
#pragma once
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "exogenous/catalogue.h"

namespace plait::exogenous {

/// How the earlier of two events is tied to the later one. Must wins over Enables, Enables over Interferes.
enum class Tie : u8 { None, Interferes, Enables, Must };

/// Pairs of indices that a run lists: the building block "given".
struct GivenPairs {
  std::vector<std::pair<u32, u32>> must, interferes, enables;
};

/// One relation as a tree of building blocks.
class Relation {
 public:
  struct Node;
  Relation();  // never
  /// Throws std::invalid_argument with a sentence that names the part which is wrong.
  Relation(const nlohmann::json& text, Catalogue& catalogue);
  /// For the events' descriptions; `given` is what that building block says of the pair.
  bool holds(const Description& a, const Description& b, bool given) const;
  /// Does any part ask what runs list?
  bool asks_given() const;

 private:
  std::shared_ptr<const Node> root_;
};

/// Remembers answers: each thread needs a copy of its own.
class Relations {
 public:
  /// The defaults: an actor's events stay in order, everything interferes.
  explicit Relations(Catalogue& catalogue);
  /// {"must": R, ...}: replaces those that it names. Throws std::invalid_argument.
  void take(const nlohmann::json& relations);
  /// Of a TOML file with the same content. Throws Error (usage) naming the file.
  void take_file(const std::string& file);

  /// What ties two events, described by these numbers, the first being the earlier one.
  Tie tie(u32 a, u32 b) const;
  /// The same where runs list pairs; `given` has bits for must, enables and interferes (see GivenTable).
  Tie tie(u32 a, u32 b, u8 given) const;
  bool asks_given() const { return asks_given_; }
  /// `must` holds for (b, a) and not for (a, b), though a came first.
  bool contradicts(u32 a, u32 b) const;
  Catalogue& catalogue() const { return catalogue_; }

  static constexpr u8 kGivenMust = 1, kGivenInterferes = 2, kGivenEnables = 4;

 private:
  u8 compute(u32 a, u32 b, u8 given) const;
  u8 cached(u32 a, u32 b) const;

  static constexpr u8 kContradiction = 8, kUnknown = 255;

  Catalogue& catalogue_;
  Relation must_, interferes_, enables_;
  bool asks_given_ = false;
  mutable std::vector<std::vector<u8>> cache_;  // by pair of descriptions: a Tie, and whether it is a contradiction
};

/// What relations say of the events of one run, by index: pending events follow the last one, as in the protocol.
class RunTies {
 public:
  RunTies(const Relations& relations, std::span<const u32> events, const GivenPairs& given);
  Tie operator()(u32 i, u32 j) const;
  bool contradicts(u32 i, u32 j) const { return relations_.contradicts(events_[i], events_[j]); }

 private:
  const Relations& relations_;
  std::span<const u32> events_;
  std::unordered_map<u64, u8> given_;
};

/// The file relations.toml beside the runtime: in the directory of the first word that names a file. Empty: none.
std::string relations_beside(const std::vector<std::string>& command);

}  // namespace plait::exogenous

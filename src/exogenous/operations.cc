#include <fmt/core.h>

#include <cerrno>

#include "base/error.h"
#include "exogenous/machine_runner.h"

namespace plait::exogenous {
namespace {

using nlohmann::json;

struct Word {
  const char* name;
  Op op;
  RmwKind rmw = RmwKind::Exchange;
};
constexpr Word kWords[] = {{"load", Op::Load},
                           {"store", Op::Store},
                           {"add", Op::Rmw, RmwKind::Add},
                           {"exchange", Op::Rmw, RmwKind::Exchange},
                           {"cas", Op::Cas},
                           {"lock", Op::Lock},
                           {"unlock", Op::Unlock},
                           {"try-lock", Op::TryLock},
                           {"post", Op::SemPost},
                           {"take", Op::SemWait}};

constexpr u64 kFirstObject = 0x10000;  // addresses: 16 bytes for each object
constexpr u64 kTexts = u64{1} << 40;   // values that are no numbers, from here on

bool is_sync(Op op) { return op != Op::Load && op != Op::Store && op != Op::Rmw && op != Op::Cas; }

}  // namespace

Operations::Operations(const Hello& hello, Catalogue& catalogue)
    : catalogue_(catalogue),
      main_(hello.main),
      object_(catalogue.symbols.of("object")),
      value_(catalogue.symbols.of("value")),
      operand_(catalogue.symbols.of("operand")),
      expected_(catalogue.symbols.of("expected")),
      true_(catalogue.symbols.of("true")) {
  if (hello.operations.empty())
    throw Error(kExitUsage,
                fmt::format("the runtime '{}' does not say what its events do to values ('operations' in its "
                            "hello): only dpor, conflicts and exhaustive are possible",
                            hello.name));
  for (const auto& [kind, what] : hello.operations.items()) {
    const std::string name = what.is_object() ? what.value("op", json("")).dump() : what.dump();
    const Word* found = nullptr;
    for (const Word& word : kWords)
      if (name == json(word.name).dump()) found = &word;
    if (!found)
      throw Error(kExitUsage, fmt::format("the runtime '{}': operations.{}: there is no {}", hello.name, kind, name));
    kinds_[kind] = {found->op, found->op == Op::Rmw ? static_cast<u8>(found->rmw) : u8{0}};
  }
  for (const auto& [object, what] : hello.initial.items()) {
    Description description;
    description.attributes = {{value_, catalogue.symbol_of(what)}};
    initial_[kFirstObject + 16 * catalogue.symbol_of(object)] = value(description, value_);
  }
}

u64 Operations::initial(u64 location) const {
  const auto found = initial_.find(location);
  return found == initial_.end() ? 0 : found->second;
}

std::string Operations::object_name(u64 location) const {
  if (location < kFirstObject || (location - kFirstObject) / 16 >= catalogue_.symbols.size()) return "an object";
  return catalogue_.symbols.text(static_cast<Symbol>((location - kFirstObject) / 16));
}

u64 Operations::value(const Description& description, Symbol name) const {
  const Symbol symbol = description.attribute(name);
  if (symbol == kNoSymbol)
    throw Error(kExitUsage, fmt::format("the event '{}' has no '{}', which its operation needs",
                                        catalogue_.symbols.text(description.id), catalogue_.symbols.text(name)));
  const json parsed = json::parse(catalogue_.symbols.text(symbol));
  if (parsed.is_number_integer()) return static_cast<u64>(parsed.get<i64>());
  return kTexts + symbol;
}

Event Operations::event(const Description& description) const {
  const auto kind = kinds_.find(description.kind);
  if (kind == kinds_.end())
    throw Error(kExitUsage,
                fmt::format("the event '{}' is of the kind '{}', which the hello's 'operations' do not have",
                            catalogue_.symbols.text(description.id), description.kind));
  const Symbol object = description.attribute(object_);
  if (object == kNoSymbol)
    throw Error(kExitUsage, fmt::format("the event '{}' has no 'object', which its operation needs",
                                        catalogue_.symbols.text(description.id)));
  Event event{};
  event.op = kind->second.op;
  event.detail = kind->second.detail;
  event.location = kFirstObject + 16 * u64{object};
  event.order = Order::SeqCst;
  if (!is_sync(event.op)) event.size = 8;
  switch (event.op) {
    case Op::Load: event.value = value(description, value_); break;
    case Op::Store: event.operand = value(description, value_); break;
    case Op::Cas: event.extra = value(description, expected_); [[fallthrough]];
    case Op::Rmw:
      event.value = value(description, value_);
      event.operand = value(description, operand_);
      break;
    case Op::TryLock: event.value = description.attribute(value_) == true_ ? 0 : EBUSY; break;
    default: break;
  }
  return event;
}

}  // namespace plait::exogenous

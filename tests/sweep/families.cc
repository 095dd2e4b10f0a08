#include "families.h"

#include "generator.h"
#include "random.h"
#include "reach.h"

namespace sweep {
namespace {

bool has(const Thread& code, std::string_view operations) {
  for (const Operation& operation : code)
    if (operations.find(operation.code) != std::string_view::npos) return true;
  return false;
}

class FamilyGenerator {
 public:
  FamilyGenerator(const Family& family, std::uint64_t seed) : family_(family.name), random_(seed) {}

  Program program() {
    const unsigned draw = random_.below(100);
    const unsigned threads = is("twins") ? 3 + random_.below(2) : draw < 50 ? 2 : draw < 93 ? 3 : 4;
    variables_ = 1 + random_.below(2);
    plain_ = random_.chance(35);
    locks_ = random_.chance(30);
    Program program(threads);
    for (Thread& code : program) {
      const unsigned length = 1 + random_.below(threads == 2 ? 5 : threads == 3 ? 3 : 2);
      for (unsigned i = 0; i < length; ++i) statement(code, 2);
    }
    if (is("twins")) make_alike(program, random_.chance(25));
    place_forks(program);
    if (is("exits") || is("mixed")) place_ends(program);
    if (is("joins") || is("mixed")) place_joins(program);
    if (random_.chance(40)) program[0].push_back({'j', {}}), program[0].push_back({'L', {variable(), reg()}});
    return program;
  }

 private:
  const std::string_view family_;
  Random random_;
  unsigned variables_ = 1;
  bool plain_ = false, locks_ = false;

  bool is(std::string_view name) const { return family_ == name; }
  std::uint8_t below(unsigned bound) { return static_cast<std::uint8_t>(random_.below(bound)); }
  std::uint8_t reg() { return below(2); }
  std::uint8_t value() { return below(3); }
  std::uint8_t variable() {
    const bool blocks = is("frees") || is("blocklocks") || (is("mixed") && random_.chance(20));
    return blocks && random_.chance(50) ? static_cast<std::uint8_t>(kVariables + below(1)) : below(variables_);
  }
  std::uint8_t mutex() {
    if (is("blocklocks") && random_.chance(60)) return kMutexes;
    if ((is("joins") || is("mixed")) && random_.chance(50)) return kRecursive;
    return below(2);
  }

  void statement(Thread& code, unsigned depth) {
    const unsigned draw = random_.below(100);
    if (draw < 35 && !is("plain") && !is("twins")) return special(code, depth);
    if (draw < 50 && depth) return branch(code, depth);
    if (draw < 62 && depth && (locks_ || is("twins") || is("blocklocks") || is("joins") || is("destroys")))
      return critical_section(code, depth);
    access(code);
  }

  void access(Thread& code) {
    const bool plain = plain_ && random_.chance(50);
    switch (random_.below(6)) {
      case 0:
      case 1: code.push_back({plain ? 'l' : 'L', {variable(), reg()}}); break;
      case 2:
      case 3: code.push_back({plain ? 's' : random_.chance(70) ? 'A' : 'R', {variable(), value()}}); break;
      case 4:
        if (plain)
          code.push_back({'a', {variable(), 1}});
        else
          code.push_back({'F', {variable(), static_cast<std::uint8_t>(1 + below(2)), reg()}});
        break;
      default: code.push_back({'C', {variable(), value(), value(), reg()}}); break;
    }
  }

  void guarded(Thread& code, const Thread& body) {
    if (body.empty() || body.size() > 9) return;
    const std::uint8_t r = reg();
    if (random_.chance(60)) code.push_back({plain_ ? 'l' : 'L', {variable(), r}});
    code.push_back({'?', {r, value(), static_cast<std::uint8_t>(body.size())}});
    code.insert(code.end(), body.begin(), body.end());
  }

  void branch(Thread& code, unsigned depth) {
    Thread body;
    for (unsigned i = 1 + random_.below(2); i-- > 0;) statement(body, depth - 1);
    guarded(code, body);
  }

  void critical_section(Thread& code, unsigned depth) {
    const std::uint8_t m = mutex();
    code.push_back({'k', {m}});
    for (unsigned i = random_.below(3); i-- > 0;) statement(code, depth - 1);
    code.push_back({'u', {m}});
  }

  void special(Thread& code, unsigned depth) {
    static constexpr std::string_view kMixed[] = {"assume",  "exits",    "frees", "blocklocks", "joins",  "process",
                                                  "library", "handlers", "heap",  "statics",    "structs"};
    special_of(is("mixed") ? kMixed[random_.below(std::size(kMixed))] : family_, code, depth);
  }

  void special_of(std::string_view family, Thread& code, unsigned depth) {
    if (family == "assume") return check(code);
    if (family == "exits") return end(code);
    if (family == "blocklocks" && random_.chance(40)) return use_block(code);
    if (family == "frees" || family == "blocklocks") return free_block(code);
    if (family == "heap") return heap(code);
    if (family == "statics") return maybe_guarded(code, {{'O', {below(2), reg()}}});
    if (family == "structs") return structs(code);
    if (family == "scopes") return local(code);
    if (family == "destroys") return maybe_guarded(code, {{'Y', {mutex()}}});
    if (family == "joins" && depth) return critical_section(code, depth);
    if (family == "waits") return wait(code);
    if (family == "atomic") return section(code);
    if (family == "process") return process(code);
    if (family == "library") return library(code);
    if (family == "handlers") return maybe_guarded(code, {{',', {below(4)}}});
    access(code);
  }

  void maybe_guarded(Thread& code, const Thread& body) {
    if (random_.chance(60)) return guarded(code, body);
    code.insert(code.end(), body.begin(), body.end());
  }

  void check(Thread& code) {
    const std::uint8_t r = reg();
    if (random_.chance(70)) code.push_back({plain_ ? 'l' : 'L', {variable(), r}});
    if (random_.chance(45))
      code.push_back({'V', {r, value()}});
    else
      code.push_back({'X', {r, value(), below(kWaysToFail)}});
  }

  void end(Thread& code) {
    maybe_guarded(code, {{"eqp" [random_.below(3)], {}}});
  }

  void free_block(Thread& code) { maybe_guarded(code, {{'n', {below(1)}}}); }

  /// A condition or a semaphore in the block.
  void use_block(Thread& code) {
    constexpr std::uint8_t kIn = 2;
    switch (random_.below(7)) {
      case 0:
      case 1: return maybe_guarded(code, {{'P', {kIn}}});
      case 2: return code.push_back({'W', {kIn}});
      case 3: return code.push_back({'T', {kIn, reg()}});
      case 4: return maybe_guarded(code, {{random_.chance(50) ? 'g' : 'b', {kIn}}});
      default: {
        const std::uint8_t m = random_.chance(50) ? kIn : std::uint8_t{0};
        code.push_back({'k', {m}});
        if (random_.chance(60))
          code.push_back({'w', {kIn, m}});
        else
          code.push_back({'E', {kIn, m, reg()}});
        return code.push_back({'u', {m}});
      }
    }
  }

  void heap(Thread& code) {
    const std::uint8_t p = below(random_.chance(30) ? kPointers : 1);
    switch (random_.below(8)) {
      case 0:
      case 1: return maybe_guarded(code, {{'m', {p, value()}}});
      case 2:
      case 3: return code.push_back({'c', {p, reg()}});
      case 4:
      case 5: return code.push_back({'v', {p, value()}});
      case 6: return maybe_guarded(code, {{'D', {p}}});
      default: return maybe_guarded(code, {{'G', {p}}});
    }
  }

  void structs(Thread& code) {
    const std::uint8_t q = below(random_.chance(20) ? kStructs : 1);
    const char kind = "IJKZ_"[random_.below(5)];
    maybe_guarded(code, {{kind, {q, kind == 'Z' || kind == '_' ? reg() : value()}}});
  }

  void local(Thread& code) {
    if (random_.chance(50))
      maybe_guarded(code, {{'[', {reg()}}});
    else
      maybe_guarded(code, {{']', {value()}}});
  }

  void wait(Thread& code) {
    const std::uint8_t r = reg(), c = value(), v = variable(), m = below(2);
    Thread loop;
    switch (random_.below(4)) {
      case 0: loop = {{'C', {v, c, value(), r}}, {'~', {r, c, 1}}}; break;
      case 1: loop = {{'t', {m, r}}, {'~', {r, 1, 1}}, {'u', {m}}}; break;
      default: loop = {{plain_ ? 'l' : random_.chance(50) ? 'L' : 'Q', {v, r}}, {'~', {r, c, 1}}}; break;
    }
    maybe_guarded(code, loop);
  }

  void section(Thread& code) {
    code.push_back({'{', {}});
    for (unsigned i = 1 + random_.below(2); i-- > 0;) access(code);
    code.push_back({'}', {}});
  }

  void process(Thread& code) {
    const std::uint8_t r = reg();
    switch (random_.below(8)) {
      case 0: return maybe_guarded(code, {{'$', {value()}}});
      case 1: return code.push_back({'%', {r}});
      case 2:
      case 3: return maybe_guarded(code, {{'&', {value(), r}}});
      case 4: return maybe_guarded(code, {{'@', {below(4)}}});
      case 5: return code.push_back({'^', {r}});
      case 6: return maybe_guarded(code, {{'!', {r}}});
      default: return maybe_guarded(code, {{';', {below(2), r}}});
    }
  }

  void library(Thread& code) {
    const std::uint8_t r = reg(), c = below(4);
    const std::uint8_t function = below(kLibraryFunctions);
    switch (random_.below(7)) {
      case 6: return code.push_back({')', {variable(), below(kLibraryReaders), r}});
      case 0: return maybe_guarded(code, {{'#', {below(4)}}});
      case 1: return code.push_back({':', {r}});
      case 2:
      case 3: return maybe_guarded(code, {{'|', {variable(), function, c}}});
      default: return maybe_guarded(code, {{'=', {r, function, c}}});
    }
  }

  void place_forks(Program& program) {
    unsigned at_start = 0;
    for (unsigned child = 1; child < program.size(); ++child) {
      const unsigned parent = is("waits") || random_.chance(85) ? 0 : random_.below(child);
      Thread& code = program[parent];
      const unsigned place =
          parent == 0 && (is("waits") || random_.chance(80)) ? at_start : random_.below(unsigned(code.size()) + 1);
      const bool left = (is("exits") || is("mixed")) && random_.chance(60);
      if (is("scopes") && has(program[child], "[]")) {
        insert_operation(code, place, {'<', {std::uint8_t(child), below(3)}});
        if (parent == 0 && place <= at_start) ++at_start;
        continue;
      }
      insert_operation(code, place, {left ? (random_.chance(60) ? 'd' : '>') : 'f', {std::uint8_t(child)}});
      if (parent == 0 && place <= at_start) ++at_start;
    }
  }

  /// The children have one body, or all of them but the last.
  static void make_alike(Program& program, bool but_one) {
    for (std::size_t child = 2; child + but_one < program.size(); ++child) program[child] = program[1];
  }

  /// Ends without joins, where threads end anyway.
  void place_ends(Program& program) {
    for (Thread& code : program)
      if (random_.chance(25)) code.push_back({"qpe" [random_.below(3)], {}});
  }

  /// Thread 1 is joined by somebody who did not fork it, or by nobody.
  void place_joins(Program& program) {
    for (Operation& operation : program[0])
      if (operation.code == 'f' && operation.arg[0] == 1) operation.code = '>';
    if (program.size() < 2 || random_.chance(10)) return;
    const unsigned joiner = program.size() > 2 && random_.chance(80) ? 2 : 0;
    Thread& code = program[joiner];
    const unsigned place = random_.below(static_cast<unsigned>(code.size()) + 1);
    Thread body = {{'(', {1}}};
    insert_operation(code, place, body[0]);
    if (random_.chance(50)) insert_operation(code, place, {'?', {reg(), value(), 1}});
  }
};

/// Handlers after main's pthread_exit are run but not predicted (docs/unsupported.md).
bool ends_with_handlers_but_without_main(const Program& program) {
  bool handlers = false;
  for (const Thread& code : program) handlers |= has(code, ",O");
  return handlers && has(program[0], "p");
}

bool suits(const Program& program, std::uint64_t limit, MemoryModel model, bool livelocks) {
  if (!problem_of(program).empty() || ends_with_handlers_but_without_main(program)) return false;
  const Reachable truth = reach(program, limit, model);
  if (truth.bugs.contains("livelock") && !livelocks) return false;
  return !truth.exceeded && !truth.misuse && truth.states > 3;
}

}  // namespace

const Family* family_of(std::string_view name) {
  for (const Family& family : kFamilies)
    if (family.name == name) return &family;
  return nullptr;
}

Program generate(const Family& family, std::uint64_t seed, std::uint64_t limit, MemoryModel model) {
  if (family.name == "objects") {
    for (std::uint64_t next = seed << 8;; ++next)
      if (Program program = generate(next, limit / 4); suits(program, limit, model, false)) return program;
  }
  // Half of them with conditions, semaphores, barriers.
  for (std::uint64_t next = seed << 8; family.name == "twins" && seed % 2 == 0; ++next) {
    Program program = generate(next, limit / 8);
    for (std::size_t child = 2; child < program.size(); ++child) program[child] = program[1];
    if (program.size() > 2 && suits(program, limit, model, false)) return program;
  }
  FamilyGenerator generator(family, seed);
  // Most random loops wait for what never comes; runs that go round for ever take long.
  const bool livelocks = seed % 8 == 0;
  for (;;)
    if (Program program = generator.program(); suits(program, limit, model, livelocks)) return program;
}

}  // namespace sweep

#include "generator.h"

#include "enumerator.h"
#include "random.h"

namespace sweep {
namespace {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed), weak_(random_.chance(50)) {}

  Program program() {
    const unsigned draw = random_.below(100);
    const unsigned threads = draw < 45 ? 2 : draw < 85 ? 3 : draw < 97 ? 4 : 5;
    // Few variables make conflicts; few kinds of operation make programs that use each in depth.
    variables_ = 1 + random_.below(3);
    synchronisation_ = random_.chance(65);
    bytes_ = random_.chance(15);
    if (weak_) variables_ = random_.chance(80) ? 2 : 3, synchronisation_ = random_.chance(15);
    waits_ = synchronisation_ && random_.chance(30);
    guarding_ = weak_ && random_.chance(40);
    loops_ = random_.chance(weak_ ? 10 : 30);
    Program program(threads);
    for (unsigned t = 0; t < threads; ++t) {
      held_ = 0;
      counter_ = loops_ && random_.chance(40) ? kReserved : kNone;
      thread_ = t;
      next_register_ = 0;
      const unsigned length = 1 + random_.below(weak_ && threads < 4 ? 2 : threads <= 2 ? 6 : threads == 3 ? 4 : 2);
      block(program[t], length, 2);
    }
    place_forks(program);
    if (random_.chance(50)) {
      program[0].push_back({'j', {}});
      program[0].push_back({'l', {variable(), reg()}});
    }
    return program;
  }

 private:
  Random random_;
  const bool weak_;  // little that drains store buffers; the seed's choice, whatever is thrown away
  unsigned variables_ = 1;
  bool synchronisation_ = false;
  bool waits_ = false;  // threads mostly wait for each other on one condition
  bool loops_ = false;
  bool bytes_ = false;     // accesses to single bytes
  bool guarding_ = false;  // atomic accesses decide whether a plain one follows: it races, or not
  unsigned thread_ = 0;    // that is being written
  unsigned next_register_ = 0;
  unsigned held_ = 0;  // mutexes that the thread being written holds for certain
  enum {
    kNone,
    kReserved,
    kUsed
  } counter_ = kNone;  // the last register of the thread being written, for a loop that counts

  std::uint8_t below(unsigned bound) { return static_cast<std::uint8_t>(random_.below(bound)); }
  std::uint8_t variable() { return below(variables_); }
  std::uint8_t reg() { return below(kRegisters - (counter_ != kNone)); }
  std::uint8_t value() { return below(4); }

  void block(Thread& code, unsigned length, unsigned depth) {
    for (unsigned i = 0; i < length; ++i) {
      if (depth && random_.chance(weak_ ? 10 : 20)) {
        branch(code, depth);
      } else if (loops_ && depth && random_.chance(35)) {
        loop(code, depth);
      } else if (synchronisation_ && random_.chance(45)) {
        synchronise(code, depth);
      } else {
        access(code);
      }
    }
  }

  void access(Thread& code) {
    if (bytes_ && random_.chance(40)) return byte_access(code);
    if (weak_ && random_.chance(90)) return weak_access(code);
    switch (random_.below(8)) {
      case 0: code.push_back({'l', {variable(), reg()}}); break;
      case 1: code.push_back({'L', {variable(), reg()}}); break;
      case 2: code.push_back({'s', {variable(), value()}}); break;
      case 3: code.push_back({'A', {variable(), value()}}); break;
      case 4: code.push_back({'S', {variable(), reg(), value()}}); break;
      case 5: code.push_back({'a', {variable(), value()}}); break;
      case 6: code.push_back({'F', {variable(), value(), reg()}}); break;
      default: code.push_back({'C', {variable(), value(), value(), reg()}}); break;
    }
  }

  void byte_access(Thread& code) {
    const std::uint8_t v = variable(), byte = below(kBytes);
    if (random_.chance(50))
      code.push_back({'h', {v, byte, value()}});
    else
      code.push_back({'H', {v, byte, reg()}});
  }

  /// What a buffer lets pass, and now and then what holds it up. Neighbours start with different variables and go on
  /// with another: it takes both to see that a buffer is there.
  void weak_access(Thread& code) {
    const std::uint8_t v = static_cast<std::uint8_t>((thread_ + random_.chance(15)) % variables_);
    const std::uint8_t other = static_cast<std::uint8_t>((v + 1) % variables_);
    const unsigned draw = random_.below(100);
    if (draw < 75) weak_store(code, v);
    if (random_.chance(draw < 75 ? 15 : 90)) weak_load(code, v);  // forwarded, if it was stored
    if (random_.chance(15)) code.push_back({random_.chance(50) ? 'M' : 'N', {}});
    draw < 45 || draw >= 75 ? weak_load(code, other) : weak_store(code, other);
  }

  void weak_store(Thread& code, std::uint8_t v) {
    const unsigned draw = random_.below(10);
    const char plain = guarding_ ? 'R' : 's';
    code.push_back({draw < 4   ? plain
                    : draw < 7 ? 'R'
                               : 'U',
                    {v, static_cast<std::uint8_t>(1 + random_.below(guarding_ ? 1 : 3))}});
  }

  /// Into register after register: what a thread has seen should not be overwritten.
  void weak_load(Thread& code, std::uint8_t v) {
    const unsigned registers = kRegisters - (counter_ != kNone);
    const std::uint8_t r = static_cast<std::uint8_t>(next_register_++ % registers);
    code.push_back({!guarding_ && random_.chance(60) ? 'l' : 'Q', {v, r}});
    const std::uint8_t guarded_variable = guarding_ ? kVariables - 1 : variable();
    if (random_.chance(guarding_ ? 75 : 10))
      guarded(code, r, below(2), {{random_.chance(60) ? 's' : 'l', {guarded_variable, 1}}});
  }

  /// A body that only runs when register r is c.
  void guarded(Thread& code, std::uint8_t r, std::uint8_t c, const Thread& body) {
    code.push_back({'?', {r, c, static_cast<std::uint8_t>(body.size())}});
    code.insert(code.end(), body.begin(), body.end());
  }

  void branch(Thread& code, unsigned depth) {
    const std::uint8_t r = reg();
    if (random_.chance(60)) code.push_back({'l', {variable(), r}});
    Thread body;
    block(body, 1 + random_.below(2), depth - 1);
    if (body.size() < 10) guarded(code, r, below(3), body);
  }

  /// Loops that end by a count: over any body, or around an operation that is tried again.
  void loop(Thread& code, unsigned depth) {
    const std::uint8_t turns = static_cast<std::uint8_t>(1 + random_.below(2)), r = reg(), m = below(kMutexes);
    switch (random_.below(counter_ == kReserved ? 7 : 5)) {
      case 0: {  // compare-and-swap until it succeeds
        const std::uint8_t expected = value();
        code.push_back({'C', {variable(), expected, value(), r}});
        code.push_back({'y', {r, expected, 1, turns}});
        break;
      }
      case 1:  // wait for a value
        code.push_back({random_.chance(50) ? 'l' : 'L', {variable(), r}});
        code.push_back({'y', {r, value(), 1, turns}});
        break;
      case 2:
        if (!synchronisation_ || (held_ >> m & 1)) return access(code);
        code.push_back({'t', {m, r}});
        code.push_back({'y', {r, 1, 1, turns}});
        guarded(code, r, 1, {{'u', {m}}});
        break;
      case 3:
        if (!synchronisation_ || held_) return access(code);
        code.push_back({'k', {m}});
        code.push_back({'w', {below(kConditions), m}});
        code.push_back({'l', {variable(), r}});
        code.push_back({'y', {r, value(), 2, turns}});
        code.push_back({'u', {m}});
        break;
      default: {
        const bool counts = counter_ == kReserved;
        if (counts) counter_ = kUsed;
        Thread body;
        block(body, 1 + random_.below(2), depth - 1);
        if (body.empty() || body.size() > 9) return access(code);
        const std::uint8_t length = static_cast<std::uint8_t>(body.size());
        code.insert(code.end(), body.begin(), body.end());
        if (counts)
          code.push_back({'i', {kRegisters - 1, static_cast<std::uint8_t>(turns + 1), length}});
        else
          code.push_back({'o', {length, turns}});
        break;
      }
    }
  }

  void synchronise(Thread& code, unsigned depth) {
    if (waits_ && !held_ && random_.chance(80)) return wait_or_wake(code);
    const std::uint8_t m = below(kMutexes);
    switch (random_.below(9)) {
      case 7: rw_section(code, depth); break;
      case 8: code.push_back({'B', {0, reg()}}); break;
      case 0:
      case 1: critical_section(code, m, depth); break;
      case 2: try_section(code, m, depth); break;
      case 3: code.push_back({random_.chance(60) ? 'g' : 'b', {below(kConditions)}}); break;
      case 4: code.push_back({'P', {below(kSemaphores)}}); break;
      case 5: code.push_back({'W', {below(kSemaphores)}}); break;
      default: code.push_back({'T', {below(kSemaphores), reg()}}); break;
    }
  }

  void push_wait(Thread& code, std::uint8_t condition, std::uint8_t m) {
    if (random_.chance(75))
      code.push_back({'w', {condition, m}});
    else
      code.push_back({'E', {condition, m, reg()}});
  }

  void rw_section(Thread& code, unsigned depth) {
    constexpr unsigned kHeld = 1u << kMutexes;
    if (held_ & kHeld) return access(code);
    held_ |= kHeld;
    code.push_back({random_.chance(60) ? 'r' : 'x', {0}});
    block(code, random_.below(3), depth ? depth - 1 : 0);
    held_ &= ~kHeld;
    if (!random_.chance(3)) code.push_back({'z', {0}});
  }

  /// The two sides of the usual idiom, both with a chance of being wrong.
  void wait_or_wake(Thread& code) {
    const std::uint8_t r = reg();
    if (random_.chance(80)) code.push_back({'k', {0}});
    const bool locked = !code.empty() && code.back().code == 'k';
    if (locked && random_.chance(55)) {
      if (random_.chance(50)) code.push_back({'l', {0, r}}), code.push_back({'?', {r, 0, 1}});
      push_wait(code, 0, 0);
    } else {
      if (random_.chance(50)) code.push_back({'s', {0, 1}});
      code.push_back({random_.chance(70) ? 'g' : 'b', {0}});
    }
    if (locked) code.push_back({'u', {0}});
  }

  void critical_section(Thread& code, std::uint8_t m, unsigned depth) {
    // Locking what is held already blocks for ever: worth having, but seldom.
    if ((held_ >> m & 1) && !random_.chance(10)) return access(code);
    const unsigned before = held_;
    held_ |= 1u << m;
    code.push_back({'k', {m}});
    if (random_.chance(30)) push_wait(code, below(kConditions), m);
    block(code, random_.below(3), depth ? depth - 1 : 0);
    held_ = before;
    if (!random_.chance(3)) code.push_back({'u', {m}});
  }

  void try_section(Thread& code, std::uint8_t m, unsigned depth) {
    if (held_ >> m & 1) return access(code);
    const std::uint8_t r = reg();
    code.push_back({'t', {m, r}});
    Thread body;
    held_ |= 1u << m;
    block(body, random_.below(2), depth ? depth - 1 : 0);
    held_ &= ~(1u << m);
    body.push_back({'u', {m}});
    if (body.size() < 10) guarded(code, r, 1, body);
  }

  /// Each thread but main is forked once: most by main near its start, some by another thread, at any place.
  void place_forks(Program& program) {
    unsigned at_start = 0;
    for (unsigned child = 1; child < program.size(); ++child) {
      const unsigned parent = random_.chance(80) ? 0 : random_.below(child);
      Thread& code = program[parent];
      const unsigned place = parent == 0 && random_.chance(weak_ ? 95 : 75)
                                 ? at_start
                                 : random_.below(static_cast<unsigned>(code.size()) + 1);
      insert_operation(code, place, {'f', {static_cast<std::uint8_t>(child)}});
      if (parent == 0 && place <= at_start) ++at_start;
    }
  }
};

}  // namespace

static bool suits(const Program& program, std::uint64_t limit) {
  if (!problem_of(program).empty()) return false;
  for (const MemoryModel model : kMemoryModels) {
    const Enumeration truth = enumerate(program, limit, model);
    if (truth.exceeded || truth.misuse || truth.ambiguous || truth.interleavings + truth.deadlocks < 2) return false;
  }
  return true;
}

Program generate(std::uint64_t seed, std::uint64_t limit) {
  Generator generator(seed);
  for (;;)
    if (Program program = generator.program(); suits(program, limit)) return program;
}

}  // namespace sweep

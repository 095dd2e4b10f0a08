// The small concurrent programs of the sweep: their operations and their text form.
//
// The sweep compares Plait with an enumerator that shares no code with it. Three parties read the same text: the
// interpreter (interp.c, compiled by `plait cc` and run under Plait), the enumerator (enumerator.h, own semantics) and
// people, who find it in regressions/*.txt. This folder may use the standard library, GoogleTest and a JSON reader;
// it must not use src/.
//
// Text form: threads separated by "/", operations by blanks, each a letter and one digit per argument. Thread 0 is
// main.
//
//   l v r    register r = variable v (plain load)         L v r    the same, atomic
//   s v c    variable v = c (plain store)                 A v c    the same, atomic
//   S v r c  variable v = register r + c (plain)
//   a v c    variable v += c, a plain load and a plain store
//   F v c r  register r = fetch_add(variable v, c)
//   C v e n r  register r = old value of compare-and-swap(variable v, e -> n)
//   Q v r    register r = variable v (relaxed load)       R v c    variable v = c (relaxed store)
//   U v c    variable v = c (release store)               M        seq_cst fence            N        release fence
//   H v n r  register r = byte n of variable v (plain)    h v n c  byte n of variable v = c (plain)
//   k m      lock mutex m            u m      unlock mutex m           t m r    register r = try-lock got mutex m
//   w d m    wait on condition d with mutex m             g d      signal      b d      broadcast
//   E d m r  wait likewise but with a deadline: register r = timed out (both are possible)
//   r x      lock reader-writer lock x for reading        x x      for writing z x      unlock it
//   B b r    wait at barrier b, which is for two: register r = this thread is the serial one
//   P s      post semaphore s        W s      wait on semaphore s      T s r    register r = try-wait got semaphore s
//   ? r c n  skip the next n operations unless register r == c
//   o n k    go back n operations, k times in a row       y r c n k  the same unless register r == c: a bounded retry
//   i r c n  register r += 1; if it is less than c then, go back n operations: a loop that counts in a local variable
//   f t      fork thread t           j        join the threads that this thread has forked so far
//
// Only in the programs of families (families.h):
//   V r c    assume that register r == c                  X r c n  fail if register r == c, in the n-th of three ways
//   e        print the registers and exit                 q        return at once, without joining; of main: the
//   program p        pthread_exit, without joining: the program goes on, even after main's d t      fork thread t,
//   detached                      > t      fork thread t, which another thread may join ( t      join thread t, forked
//   by > n p      free block p                                 ~ r c n  go back n operations unless register r == c,
//   for ever Y m      destroy mutex m {        begin an atomic section                      }        end it $ c set an
//   environment variable to c             % r      register r = that variable (15 before it is set) & c r    register r
//   = old umask, which becomes c      @ c      change to directory c     ^ r      register r = directory ! r register r
//   = number of a new descriptor      ; n r    register r = closing the n-th new one succeeded # c      set the
//   rounding mode                        : r      register r = rounding mode (each thread's own) = r k c  register r =
//   c, written by library function k (c is 0 to 3) | v k c  variable v = c, likewise                     , c      at
//   the end of the program, print c: the last one first ) v k r  register r = variable v, read by library function k m
//   p c    pointer p = new cell of the heap that holds c c p r    register r = what pointer p points to (15: nothing)
//   v p c    what pointer p points to = c (plain) D p      free what pointer p points to; null from now on          G p
//   the same, but p stays as it is O n r    register r = static variable n of a function, whose constructor adds 1 to
//   variable n, and is that number I q c    first member of struct q = c                 J q c    second member = c
//   (plain) K q c    both members = c, at once                    Z q r    register r = the sum of both, read at once
//   (a union) _ q r    register r = the same, from a copy of the struct < t n    fork thread t with a local variable of
//   a function, load variable 0 n times, return from the function [ r      register r = that variable (plain) ] c that
//   variable = c (plain)
//
// Variables 4 and 5, mutexes 2 and 3, conditions 2 and 3, semaphores 2 and 3 lie in heap blocks 0 and 1, which main
// allocates at the start. Mutex 4 is recursive. The structs have a byte, three bytes of padding and four bytes.
// Digits beyond 9 are letters.
//
// A loop counts anew when it is met again after its end. Nothing but its `i` writes the register of an `i`, and no loop
// contains a fork; so every loop ends. A thread joins its children when it ends. What is called atomic above without an
// order is seq_cst. Variables have four bytes (operations on single bytes know the lower two) and start at 0, as do
// registers, which hold values modulo 16 (of a variable: of its lower two bytes, folded); semaphore s starts with s.
// The outcome of a run is the registers of all threads.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sweep {

inline constexpr int kThreads = 5;
inline constexpr int kMaxOperations = 64;  // of one thread
inline constexpr int kRegisters = 3;
inline constexpr int kRegisterMask = 15;
inline constexpr int kVariables = 4;
inline constexpr int kBlocks = 2;                    // of the heap, each with a variable and a mutex
inline constexpr int kNamed = kVariables + kBlocks;  // all variables that have numbers
inline constexpr int kHeapCells = 4;                 // each m has its own
inline constexpr int kFirstHeapCell = kNamed;
inline constexpr int kFirstLocal = kFirstHeapCell + kHeapCells;  // by thread
inline constexpr int kCells = kFirstLocal + kThreads;            // all of memory but the structs
inline constexpr int kPointers = 2;
inline constexpr int kStatics = 2;
inline constexpr int kStructs = 2;
inline constexpr int kBytes = 2;  // of a variable, that have operations of their own
inline constexpr int kMutexes = 2;
inline constexpr int kAllMutexes = kMutexes + kBlocks + 1;  // those in blocks, and the recursive one
inline constexpr int kRecursive = kAllMutexes - 1;
inline constexpr int kConditions = 2;
inline constexpr int kAllConditions = kConditions + kBlocks;
inline constexpr int kSemaphores = 2;
inline constexpr int kAllSemaphores = kSemaphores + kBlocks;
inline constexpr int kRwLocks = 1;
inline constexpr int kBarriers = 1;
inline constexpr int kWaysToFail = 3;         // an assertion, abort, a null pointer
inline constexpr int kLibraryFunctions = 24;  // that write to memory
inline constexpr int kLibraryReaders = 6;

struct Operation {
  char code = 0;
  std::array<std::uint8_t, 4> arg{};
};

using Thread = std::vector<Operation>;
using Program = std::vector<Thread>;

std::string to_text(const Program& program);

/// The thread that an operation forks, or 0.
int forked_by(const Operation& operation);

/// The heap cell of the m at that place.
int heap_cell_of(const Program& program, std::size_t thread, std::size_t place);

/// How many operations before it a loop goes back; 0: no loop.
int body_of(const Operation& operation);
void set_body(Operation& operation, int length);

/// Operations between two places of a thread, with the lengths of what jumps over them kept right.
void insert_operation(Thread& code, std::size_t place, Operation operation);
void remove_operation(Thread& code, std::size_t place);

/// Throws std::invalid_argument: unknown operation, number out of range, thread forked twice or by a later thread, a
/// loop that need not end.
Program from_text(const std::string& text);

/// What from_text demands; empty when the program is well formed.
std::string problem_of(const Program& program);

}  // namespace sweep

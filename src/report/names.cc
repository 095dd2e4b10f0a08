#include "report/names.h"

#include <fmt/core.h>

#include <cerrno>

namespace plait {
namespace {

enum class Shape : u8 { Plain, Load, Store, Flush, Rmw, Cas, Object, Result, Thread, Wake };

struct OpWords {
  Op op;
  std::string_view name, verb;
  Shape shape;
  std::string_view waits;
};

constexpr OpWords kWords[] = {
    {Op::None, "none", "?", Shape::Plain, ""},  // cut off by a crash
    {Op::Load, "load", "read", Shape::Load, ""},
    {Op::Store, "store", "write", Shape::Store, ""},
    {Op::Rmw, "rmw", "update", Shape::Rmw, ""},
    {Op::Cas, "cas", "compare and swap", Shape::Cas, ""},
    {Op::Fence, "fence", "fence", Shape::Plain, ""},
    {Op::Free, "free", "free", Shape::Object, ""},
    {Op::Flush, "flush", "reaches memory", Shape::Flush, ""},
    {Op::Fork, "fork", "start", Shape::Thread, ""},
    {Op::Begin, "begin", "begins", Shape::Plain, ""},
    {Op::End, "end", "ends", Shape::Plain, ""},
    {Op::Join, "join", "join", Shape::Thread, "waits for the end of"},
    {Op::Yield, "yield", "yield", Shape::Plain, ""},
    {Op::Exit, "exit", "exit", Shape::Plain, ""},
    {Op::Lock, "lock", "lock", Shape::Object, "waits for mutex"},
    {Op::TryLock, "try-lock", "try to lock", Shape::Result, ""},
    {Op::TimedLock, "timed-lock", "lock with a time limit", Shape::Result, "waits for mutex"},
    {Op::Unlock, "unlock", "unlock", Shape::Object, ""},
    {Op::MutexInit, "mutex-init", "initialise mutex", Shape::Object, ""},
    {Op::MutexDestroy, "mutex-destroy", "destroy mutex", Shape::Object, ""},
    {Op::ReadLock, "read-lock", "lock for reading", Shape::Object, "waits to read-lock"},
    {Op::TryReadLock, "try-read-lock", "try to lock for reading", Shape::Result, ""},
    {Op::TimedReadLock, "timed-read-lock", "lock for reading with a time limit", Shape::Result, "waits to read-lock"},
    {Op::WriteLock, "write-lock", "lock for writing", Shape::Object, "waits to write-lock"},
    {Op::TryWriteLock, "try-write-lock", "try to lock for writing", Shape::Result, ""},
    {Op::TimedWriteLock, "timed-write-lock", "lock for writing with a time limit", Shape::Result,
     "waits to write-lock"},
    {Op::RwUnlock, "rw-unlock", "unlock", Shape::Object, ""},
    {Op::RwInit, "rw-init", "initialise rwlock", Shape::Object, ""},
    {Op::RwDestroy, "rw-destroy", "destroy rwlock", Shape::Object, ""},
    {Op::CondWait, "cond-wait", "wait on", Shape::Object, "waits on"},
    {Op::CondWake, "cond-wake", "wake up from", Shape::Wake, "waits for a signal on"},
    {Op::Reacquire, "reacquire", "lock again", Shape::Object, "waits to lock again"},
    {Op::Signal, "signal", "signal", Shape::Object, ""},
    {Op::Broadcast, "broadcast", "broadcast", Shape::Object, ""},
    {Op::CondInit, "cond-init", "initialise condition", Shape::Object, ""},
    {Op::CondDestroy, "cond-destroy", "destroy condition", Shape::Object, ""},
    {Op::SemWait, "sem-wait", "take from semaphore", Shape::Object, "waits for semaphore"},
    {Op::SemTryWait, "sem-try-wait", "try to take from semaphore", Shape::Result, ""},
    {Op::SemTimedWait, "sem-timed-wait", "take from semaphore with a time limit", Shape::Result, "waits for semaphore"},
    {Op::SemPost, "sem-post", "post semaphore", Shape::Object, ""},
    {Op::SemValue, "sem-value", "read semaphore", Shape::Load, ""},
    {Op::SemInit, "sem-init", "initialise semaphore", Shape::Object, ""},
    {Op::SemDestroy, "sem-destroy", "destroy semaphore", Shape::Object, ""},
    {Op::BarrierArrive, "barrier-arrive", "arrive at barrier", Shape::Object, "waits at barrier"},
    {Op::BarrierLeave, "barrier-leave", "leave barrier", Shape::Object, "waits at barrier"},
    {Op::BarrierInit, "barrier-init", "initialise barrier", Shape::Object, ""},
    {Op::BarrierDestroy, "barrier-destroy", "destroy barrier", Shape::Object, ""},
    {Op::OnceEnter, "once-enter", "enter once", Shape::Object, "waits for the initialisation of"},
    {Op::OnceLeave, "once-leave", "leave once", Shape::Object, ""},
    {Op::FutexWait, "futex-wait", "wait on", Shape::Result, "waits on"},
    {Op::FutexWake, "futex-wake", "wake up from", Shape::Wake, "waits for a notification of"},
    {Op::FutexNotify, "futex-notify", "notify", Shape::Object, ""},
    {Op::Output, "output", "write output", Shape::Plain, ""},
    {Op::Input, "input", "read input", Shape::Plain, ""},
    {Op::AtomicBegin, "atomic-begin", "begin atomic section", Shape::Plain, ""},
    {Op::AtomicEnd, "atomic-end", "end atomic section", Shape::Plain, ""},
    {Op::Assume, "assume", "assume", Shape::Plain, ""},
    {Op::Alloc, "alloc", "allocate", Shape::Object, ""},
    {Op::Initial, "initial", "initial state of", Shape::Object, ""},
    {Op::Extension, "extension", "", Shape::Plain, ""},
    {Op::Label, "label", "", Shape::Plain, ""},
};

const OpWords& words(Op op) {
  for (const OpWords& w : kWords)
    if (w.op == op) return w;
  return kWords[0];
}

constexpr std::string_view kRmwVerbs[] = {"exchange",      "add to",    "subtract from", "and",   "or",   "xor",
                                          "nand",          "max",       "min",           "umax",  "umin", "add to",
                                          "subtract from", "increment", "decrement",     "change"};

std::string_view result_text(u64 value) {
  switch (static_cast<int>(value)) {
    case 0: return "done";
    case EBUSY: return "busy";
    case EAGAIN: return "not now";
    case ETIMEDOUT: return "timed out";
    case EDEADLK: return "would deadlock";
    case EPERM: return "not the owner";
    case EINTR: return "spurious";
    case EINVAL: return "invalid";
    default: return "";
  }
}

u64 truncated(u64 value, u32 size) { return size >= 8 || size == 0 ? value : value & ((u64{1} << (size * 8)) - 1); }

}  // namespace

std::string_view op_name(Op op) { return words(op).name; }

std::optional<Op> op_from_name(std::string_view name) {
  for (const OpWords& w : kWords)
    if (w.name == name) return w.op;
  return std::nullopt;
}

std::string_view order_name(Order order) {
  switch (order) {
    case Order::Plain: return "plain";
    case Order::Volatile: return "volatile";
    case Order::Relaxed: return "relaxed";
    case Order::Acquire: return "acquire";
    case Order::Release: return "release";
    case Order::AcqRel: return "acq-rel";
    case Order::SeqCst: return "seq-cst";
  }
  return "plain";
}

std::string_view model_name(MemoryModel model) {
  return model == MemoryModel::Tso ? "tso" : model == MemoryModel::Pso ? "pso" : "sc";
}

MemoryModel model_of(std::string_view name) {
  return name == "tso" ? MemoryModel::Tso : name == "pso" ? MemoryModel::Pso : MemoryModel::Sc;
}

std::string thread_name(ThreadId thread) { return thread == 0 ? "main" : fmt::format("T{}", thread); }

std::string value_text(u64 value, u32 size) {
  value = truncated(value, size);
  i64 as_signed = static_cast<i64>(value);
  if (size > 0 && size < 8) as_signed = static_cast<i64>(value << (64 - size * 8)) >> (64 - size * 8);
  if (as_signed > -1'000'000'000 && as_signed < 1'000'000'000) return fmt::format("{}", as_signed);
  return fmt::format("{:#x}", value);
}

std::string event_text(const Event& e, const std::string& where, const ValueNames& names) {
  const OpWords& w = words(e.op);
  auto text = [&](u64 number, const std::string& name) { return name.empty() ? value_text(number, e.size) : name; };
  const std::string value = text(e.value, names.value), operand = text(e.operand, names.operand);
  switch (w.shape) {
    case Shape::Plain:
      if (e.op == Op::Assume) return e.value ? "assume: true" : "assume: false";
      return std::string(w.verb);
    case Shape::Load: return fmt::format("{} {} = {}", w.verb, where, value);
    case Shape::Store:
      return truncated(e.value, e.size) == truncated(e.operand, e.size)
                 ? fmt::format("write {} = {} (as before)", where, operand)
                 : fmt::format("write {} = {} (was {})", where, operand, value);
    case Shape::Flush: return fmt::format("{} = {} {}", where, operand, w.verb);
    case Shape::Rmw: {
      std::string_view verb = e.detail < std::size(kRmwVerbs) ? kRmwVerbs[e.detail] : w.verb;
      const bool adds = e.detail == static_cast<u8>(RmwKind::Add),
                 subtracts = e.detail == static_cast<u8>(RmwKind::Sub);
      if (adds || subtracts) {
        const std::string what =
            fmt::format("{} {} {} {}", adds ? "add" : "subtract", operand, adds ? "to" : "from", where);
        if (!names.value.empty()) return fmt::format("{} (was {})", what, value);  // a pointer
        const u64 sum = adds ? e.value + e.operand : e.value - e.operand;
        return fmt::format("{}: {} (was {})", what, value_text(sum, e.size), value);
      }
      return fmt::format("{} {}: {} (was {})", verb, where, operand, value);
    }
    case Shape::Cas:
      if (truncated(e.value, e.size) == truncated(e.extra, e.size))
        return fmt::format("{} {}: {} -> {}", w.verb, where, value, operand);
      return fmt::format("{} {}: failed, found {} (expected {})", w.verb, where, value, text(e.extra, names.extra));
    case Shape::Object: return fmt::format("{} {}", w.verb, where);
    case Shape::Result:
    case Shape::Wake: {
      std::string_view result = result_text(e.value);
      if (result.empty()) return fmt::format("{} {}: error {}", w.verb, where, e.value);
      if (e.value == 0 && w.shape == Shape::Wake) return fmt::format("{} {}", w.verb, where);
      return fmt::format("{} {}: {}", w.verb, where, result);
    }
    case Shape::Thread: return fmt::format("{} {}", w.verb, thread_name(static_cast<ThreadId>(e.location)));
  }
  return "";
}

std::string waiting_text(const Event& e, const std::string& where) {
  const OpWords& w = words(e.op);
  if (e.op == Op::Join) return fmt::format("{} {}", w.waits, thread_name(static_cast<ThreadId>(e.location)));
  if (w.waits.empty()) return fmt::format("is about to {} {}", w.verb, where);
  return fmt::format("{} {}", w.waits, where);
}

}  // namespace plait

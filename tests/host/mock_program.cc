// A worker without a program: simulates threads whose operations are given as letters, one argument per thread
// (threads 1, 2, ...; there is no main thread). It follows the channel's protocol as the real runtime does.
//
//   s  write x        r  read x          y  write y
//   L  lock m         U  unlock m
//   W  wait           N  notify one waiter (a choice among the waiting)
//   g  an access to z that is visible only once the session knows z as shared; two threads make it so
//   A  assertion: fails if x was last written by another thread
//   n  reads a counter of this process: not deterministic
//   X  abort    H  hang    B  loop    Z  stop for three seconds    E  _exit(3)    Q  retire after this run
//   K  is killed, the first three times     k  always     P  is stopped, the first time
//   O  aborts once, each process elsewhere: after as many steps as there were processes
//   I  the first time: is killed while it holds the lock of the session and tells what is shared
//
// First argument --never-ready, --die, --wrong-version: how a start can fail.  --small=N: N runs per batch.
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "trace/session.h"

// What `plait check` looks for in a program.
extern "C" __attribute__((used)) const char kMarker[] = "plait-instrumented v1";

namespace {

using namespace plait;

constexpr u64 kX = 0x1000, kY = 0x2000, kM = 0x3000, kC = 0x4000, kZ = 0x5000;

template <class T>
T* map_descriptor(const char* variable) {
  const char* text = getenv(variable);
  if (!text) return nullptr;
  struct stat info;
  int fd = atoi(text);
  if (fstat(fd, &info) != 0) return nullptr;
  return static_cast<T*>(mmap(nullptr, static_cast<size_t>(info.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
}

/// The processor is taken away for three seconds, as a busy machine might do.
void stop_for_a_while() {
  const pid_t self = getpid();
  if (fork() == 0) {
    sleep(3);
    kill(self, SIGCONT);
    _exit(0);
  }
  raise(SIGSTOP);
}

struct Simulation {
  const std::vector<std::string>& threads;
  Session& session;
  const Request& request;
  const Choice* schedule;
  Event* events;
  Channel* channel;
  Reply& reply;

  std::vector<u32> next;  // operations performed, per thread
  u64 x = 0, y = 0;
  ThreadId writer = kNoThread, owner = kNoThread, last = 0;
  ThreadSet waiting = 0, woken = 0, touched_z = 0, sleep = 0;
  bool sleeping = false, retire = false;
  u32 entry = 0, points = 0;
  u64 random;
  static u64 counter;

  char pending(ThreadId t) const { return next[t] < threads[t - 1].size() ? threads[t - 1][next[t]] : 0; }
  static u64 location(char op) {
    switch (op) {
      case 's':
      case 'r':
      case 'A': return kX;
      case 'y': return kY;
      case 'L':
      case 'U': return kM;
      case 'g': return kZ;
      default: return kC;
    }
  }
  static bool dependent(char a, char b) { return location(a) == location(b) && !(a == 'r' && b == 'r'); }
  bool enabled(ThreadId t) const {
    char op = pending(t);
    if (op == 'L') return owner == kNoThread;
    if (op == 'W' && (waiting & bit(t))) return woken & bit(t);
    return op != 0;
  }
  ThreadSet enabled_set() const {
    ThreadSet set = 0;
    for (ThreadId t = 1; t <= threads.size(); ++t)
      if (enabled(t)) set |= bit(t);
    return set;
  }
  Event& record(ThreadId t, char op, u8 flags) {
    static Event scratch;
    bool skip = points < request.report_from && !(request.flags & request_flag::kAllEvents);
    if (skip) ++reply.skipped;
    Event& e = skip ? scratch : events[reply.events++];
    memset(&e, 0, sizeof e);
    e.thread = t;
    // A wait is two operations: joining the waiters and waking up.
    e.position = next[t] * 2 + 1 + (op == 'w');
    e.location = location(op);
    e.site = static_cast<u32>(op) * 40;
    e.size = 4;
    e.order = Order::SeqCst;  // it cannot show a race
    e.flags = flags;
    channel->running_events = reply.events;
    return e;
  }
  void fail(FailureKind kind, ThreadId t, char op, const char* message) {
    reply.status = RunStatus::Failed;
    reply.failure = {};
    reply.failure.kind = kind;
    reply.failure.thread = t;
    reply.failure.site = static_cast<u32>(op) * 40;
    snprintf(reply.failure.message, sizeof reply.failure.message, "%s", message);
  }
  ThreadId decide(ThreadSet set, u16& arg, bool& ok) {
    ok = true;
    arg = 0;
    while (entry < request.choices) {
      const Choice& c = schedule[entry];
      bool one_step = c.position == kNextPoint;
      u32 position = next[c.thread] * 2 + 1 + ((waiting & bit(c.thread)) != 0);
      if (!one_step && position > c.position) {
        ++entry;
        continue;
      }
      if (!(set & bit(c.thread))) {
        ok = false;
        return 0;
      }
      if (one_step || position == c.position) {
        arg = c.arg;
        ++entry;
      }
      if (request.tail == Tail::Sleep && entry == request.choices) sleeping = true;
      return c.thread;
    }
    if (request.tail == Tail::Stop) return kNoThread;
    if (request.tail == Tail::Sleep) sleeping = true;
    ThreadSet candidates = sleeping ? set & ~sleep : set;
    if (!candidates) return kNoThread;
    if (request.tail == Tail::Random) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      u32 n = static_cast<u32>(random >> 33) % count(candidates);
      for (; n; --n) candidates &= candidates - 1;
      return lowest(candidates);
    }
    return candidates & bit(last) ? last : lowest(candidates);
  }
  void interrupted_telling() {
    const u32 process = static_cast<u32>(getpid());
    u32 nobody = 0;
    while (!__atomic_compare_exchange_n(&session.identity_lock, &nobody, process, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED))
      nobody = 0;
    if (session.inputs++ == 0) {
      u8 shared = kSharedClass;
      (void)!pwrite(atoi(getenv(kClassFdVariable)), &shared, 1, kY);
      session.shared[session.shared_count].ready = process;
      raise(SIGKILL);
    }
    __atomic_store_n(&session.identity_lock, 0, __ATOMIC_RELEASE);
  }
  void misfortune(ThreadId t, char op) {
    switch (op) {
      case 'K':
        if (session.inputs++ < 3) raise(SIGKILL);
        break;
      case 'k': raise(SIGKILL); break;
      case 'P':
        if (session.inputs++ < 1) raise(SIGSTOP);
        break;
      case 'O':
        if (session.inputs < 4 && next[t] == session.inputs) {
          ++session.inputs;
          abort();
        }
        break;
      case 'I': interrupted_telling(); break;
      default: break;
    }
  }
  enum class Effect { Done, Waits, Fails };
  Effect effect(ThreadId t, char op, u16 arg, bool waking, Event& e) {
    switch (op) {
      case 's': e.op = Op::Store, e.value = x, e.operand = x = t * 100 + next[t], writer = t; break;
      case 'r': e.op = Op::Load, e.value = x; break;
      case 'y': e.op = Op::Store, e.operand = ++y; break;
      case 'g': e.op = Op::Store; break;
      case 'n': e.op = Op::Load, e.value = counter; break;
      case 'L': e.op = Op::Lock, owner = t; break;
      case 'U': e.op = Op::Unlock, owner = kNoThread; break;
      case 'W':
        e.op = waking ? Op::CondWake : Op::CondWait;
        if (!waking) {
          waiting |= bit(t);
          return Effect::Waits;
        }
        waiting &= ~bit(t), woken &= ~bit(t);
        break;
      case 'N': {
        e.op = Op::Signal;
        ThreadSet possible = waiting & ~woken;
        e.extra = possible;
        if (possible) {
          e.arg = (possible & bit(static_cast<ThreadId>(arg))) ? arg : lowest(possible);
          woken |= bit(static_cast<ThreadId>(e.arg));
        }
        break;
      }
      case 'A':
        e.op = Op::Load, e.value = x;
        if (writer != t) {
          fail(FailureKind::Assertion, t, op, "assertion failed: x is mine");
          return Effect::Fails;
        }
        break;
      case 'X': abort();
      case 'H':
        for (;;) pause();
      case 'B':
        for (volatile u64 turns = 0;; turns = turns + 1) {
        }
      case 'Z': stop_for_a_while(); break;
      case 'E': _exit(3);
      case 'Q': retire = true; break;
      default: misfortune(t, op);
    }
    return Effect::Done;
  }
  // True when the run goes on.
  bool perform(ThreadId t, u16 arg, ThreadSet set) {
    char op = pending(t);
    if (op == 'g' && session.shared_count == 0) {
      touched_z |= bit(t);
      ++next[t];
      if (count(touched_z) == 2) {
        session.shared[0] = {kZ, 4, 1};
        session.shared_count = 1;
        reply.sharing_grew = 1;
      }
      return true;
    }
    bool waking = op == 'W' && (waiting & bit(t));
    Event& e = record(t, waking ? 'w' : op, event_flag::kPoint);
    e.enabled = set;
    if (sleeping) {
      e.asleep = sleep;
      for (ThreadSet s = sleep; s; s &= s - 1)
        if (dependent(op, pending(lowest(s)))) sleep &= ~bit(lowest(s));
    }
    ++points;
    last = t;
    switch (effect(t, op, arg, waking, e)) {
      case Effect::Done: break;
      case Effect::Waits: return true;
      case Effect::Fails: return false;
    }
    ++next[t];
    if (points >= request.max_events) {
      reply.status = RunStatus::Limit;
      return false;
    }
    return true;
  }
  void deadlock() {
    for (ThreadId t = 1; t <= threads.size(); ++t) {
      if (!pending(t)) continue;
      Event& e = record(t, pending(t), event_flag::kPending);
      e.op = pending(t) == 'L' ? Op::Lock : Op::CondWake;
      e.value = pending(t) == 'L' ? owner : kNoThread;
    }
    fail(FailureKind::Deadlock, 1, 'L', "deadlock");
  }
  void run() {
    next.assign(threads.size() + 1, 0);
    random = request.seed;
    sleep = request.sleep;
    ++counter;
    reply.status = RunStatus::Complete;
    for (;;) {
      // Operations that are not visible run as soon as they are reached.
      for (ThreadId t = 1; t <= threads.size(); ++t)
        while (pending(t) == 'g' && session.shared_count == 0) perform(t, 0, 0);
      ThreadSet set = enabled_set();
      if (!set) {
        for (ThreadId t = 1; t <= threads.size(); ++t)
          if (pending(t)) return deadlock();
        return;
      }
      u16 arg;
      bool ok;
      ThreadId t = decide(set, arg, ok);
      if (!ok) {
        fail(FailureKind::Divergence, 0, 0, "the scheduled thread is blocked");
        reply.status = RunStatus::Diverged;
        return;
      }
      if (t == kNoThread) {
        reply.status = request.tail == Tail::Stop ? RunStatus::Stopped : RunStatus::Redundant;
        return;
      }
      if (!perform(t, arg, set)) return;
    }
  }
};
u64 Simulation::counter = 0;

void write_tables(const char* path) {
  FILE* out = fopen(path, "w");
  if (!out) _exit(1);
  u32 lines = 0;
  for (u32 op = 0; op < 128; ++op, ++lines) fprintf(out, "S\t%u\t-1\t%u\t1\tmock.cc\tthread\t\n", op * 40, op);
  fprintf(out, "G\t%llx\t4\t1\tmock.cc\tx\nG\t%llx\t4\t2\tmock.cc\tm\n", static_cast<unsigned long long>(kX),
          static_cast<unsigned long long>(kM));
  fprintf(out, "T\theap\t1\t9000\ta000\nE\t%u\n", lines + 3);
  fclose(out);
  _exit(0);
}

void futex(u32* word, int operation, u32 value) { syscall(SYS_futex, word, operation, value, nullptr, nullptr, 0); }

void run_batch(const std::vector<std::string>& threads, Session& session, Channel* channel, u32 most) {
  auto* base = reinterpret_cast<char*>(channel);
  u32 cursor = 0, text = 0;
  while (channel->done < channel->requests && channel->done < most) {
    const Request& request = channel->request[channel->done];
    Reply& reply = channel->reply[channel->done];
    memset(&reply, 0, sizeof reply);
    reply.first_event = cursor;
    channel->running_first_event = cursor;
    channel->running_events = 0;
    Simulation run{threads,
                   session,
                   request,
                   reinterpret_cast<Choice*>(base + channel->choices_offset) + request.schedule,
                   reinterpret_cast<Event*>(base + channel->events_offset) + cursor,
                   channel,
                   reply};
    run.run();
    reply.points = run.points;
    reply.output = text;
    reply.output_size = static_cast<u32>(
        snprintf(base + channel->text_offset + text, 64, "x=%llu\n", static_cast<unsigned long long>(run.x)));
    text += reply.output_size;
    cursor += reply.events;
    __atomic_store_n(&channel->done, channel->done + 1, __ATOMIC_RELEASE);
    if (run.retire) _exit(kRetireStatus);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> threads;
  u32 most = kBatch;
  std::string mode;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument.starts_with("--small="))
      most = static_cast<u32>(atoi(argv[i] + 8));
    else if (argument.starts_with("--"))
      mode = argument;
    else
      threads.push_back(argument);
  }
  if (const char* path = getenv(kDescribeVariable)) write_tables(path);
  auto* session = map_descriptor<Session>(kSessionFdVariable);
  auto* channel = map_descriptor<Channel>(kChannelFdVariable);
  if (!session || !channel || mode == "--die") {
    fprintf(stderr, "libmissing.so: cannot open shared object file\n");
    return 127;
  }
  if (mode == "--wrong-version" || session->magic != kSessionMagic || session->version != kSessionVersion) {
    fprintf(stderr, "plait: this program was compiled by another version of Plait: compile it again\n");
    return 70;
  }
  if (mode == "--never-ready")
    for (;;) pause();
  __atomic_store_n(&channel->ready, 1, __ATOMIC_RELEASE);
  futex(&channel->ready, FUTEX_WAKE, 1);
  for (;;) {
    u32 turn;
    while ((turn = __atomic_load_n(&channel->turn, __ATOMIC_ACQUIRE)) == Channel::kEngine)
      futex(&channel->turn, FUTEX_WAIT, 0);
    if (turn == Channel::kQuit) return 0;
    run_batch(threads, *session, channel, most);
    __atomic_store_n(&channel->turn, Channel::kEngine, __ATOMIC_RELEASE);
    futex(&channel->turn, FUTEX_WAKE, 1);
  }
}

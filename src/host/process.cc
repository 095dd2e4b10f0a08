#include "host/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>

#include "base/error.h"

extern char** environ;

namespace plait {
namespace {

constexpr int kNotExecuted = 127;
// Descriptors are first copied up here so that placing one cannot overwrite another that is still to be placed.
constexpr int kParking = 400, kImage = 450;

std::vector<std::string> merged_environment(const Launch& launch) {
  std::map<std::string, std::string> values;
  for (char** entry = environ; *entry && !launch.only; ++entry) {
    std::string text = *entry;
    size_t equals = text.find('=');
    if (equals != std::string::npos) values[text.substr(0, equals)] = text.substr(equals + 1);
  }
  for (const auto& [name, value] : launch.environment) values[name] = value;
  std::vector<std::string> lines;
  for (const auto& [name, value] : values) lines.push_back(name + "=" + value);
  return lines;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& s : strings) result.push_back(s.data());
  result.push_back(nullptr);
  return result;
}

/// In the child, between fork and exec: only async-signal-safe calls.
[[noreturn]] void become(const Launch& launch, const std::vector<std::pair<int, int>>& moves, char** argv, char** envp,
                         pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kNotExecuted);
  if (launch.own_group) setpgid(0, 0);
  personality(ADDR_NO_RANDOMIZE);
  // The shadow memory is address space that is never used; what the program may have is counted (--run-memory).
  if (rlimit space; getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != space.rlim_max) {
    space.rlim_cur = space.rlim_max;
    setrlimit(RLIMIT_AS, &space);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGXFSZ}) signal(number, SIG_DFL);
  const int image = launch.image >= 0 ? dup3(launch.image, kImage, O_CLOEXEC) : -1;
  int parked = kParking;
  for (const auto& move : moves) {
    int from = move.first >= 0 ? move.first : open("/dev/null", O_RDWR);
    if (dup2(from, parked++) < 0) _exit(kNotExecuted);
  }
  parked = kParking;
  for (const auto& move : moves) {
    dup2(parked, move.second);
    close(parked++);
  }
  if (image >= 0)
    execveat(image, "", argv, envp, AT_EMPTY_PATH);
  else
    execve(argv[0], argv, envp);
  const char* reason = strerrordesc_np(errno);
  (void)!write(2, reason, strlen(reason));
  _exit(kNotExecuted);
}

/// Of a process or thread, as in proc(5); 0 if it is gone.
char state_in(const std::string& stat_file) {
  std::FILE* file = std::fopen(stat_file.c_str(), "re");
  if (!file) return 0;
  char line[256] = {}, state = 0;
  // The state stands behind the name, which is in parentheses and may hold some itself.
  if (std::fgets(line, sizeof line, file))
    if (const char* name_end = std::strrchr(line, ')'); name_end && name_end[1]) state = name_end[2];
  std::fclose(file);
  return state;
}

ProcessEnd decode(int status) {
  ProcessEnd end;
  if (WIFSIGNALED(status))
    end.signal = WTERMSIG(status);
  else
    end.exit_code = WEXITSTATUS(status);
  return end;
}

}  // namespace

std::string ProcessEnd::text() const {
  if (signal == 0) return fmt::format("exited with code {}", exit_code);
  const char* name = sigabbrev_np(signal);
  return fmt::format("was killed by signal {} (SIG{})", signal, name ? name : "?");
}

bool ProcessEnd::from_outside() const {
  for (const int number : {SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGXCPU})
    if (signal == number) return true;
  return false;
}

namespace {

/// Descriptors have fixed, high numbers in a worker (see kParking, and the runtime's own).
void require_descriptors() {
  constexpr rlim_t kNeeded = 520;
  rlimit allowed{};
  if (getrlimit(RLIMIT_NOFILE, &allowed) != 0 || allowed.rlim_cur >= kNeeded) return;
  const rlimit wanted = {kNeeded, std::max(allowed.rlim_max, kNeeded)};
  if (setrlimit(RLIMIT_NOFILE, &wanted) != 0)
    throw Error(kExitUsage, fmt::format("only {} descriptors are allowed here (ulimit -n): Plait needs {}",
                                        allowed.rlim_cur, kNeeded));
}

}  // namespace

Process::Process(const Launch& launch) {
  require_descriptors();
  std::vector<std::string> arguments = {launch.path};
  arguments.insert(arguments.end(), launch.arguments.begin(), launch.arguments.end());
  std::vector<std::string> environment = merged_environment(launch);
  std::vector<char*> argv = pointers(arguments), envp = pointers(environment);
  std::vector<std::pair<int, int>> moves = {{launch.input, 0}, {launch.output, 1}, {launch.errors, 2}};
  moves.insert(moves.end(), launch.descriptors.begin(), launch.descriptors.end());
  pid_t parent = getpid();
  pid_t child = fork();
  if (child < 0)
    throw Error(kExitUsage, fmt::format("cannot start a process: {}{}", std::strerror(errno),
                                        errno == EAGAIN ? " (too few processes are allowed: ulimit -u)" : ""));
  if (child == 0) become(launch, moves, argv.data(), envp.data(), parent);
  id_ = child;
}

Process& Process::operator=(Process&& other) noexcept {
  if (this != &other) {
    if (running()) kill_and_wait();
    id_ = std::exchange(other.id_, 0);
  }
  return *this;
}

Process::~Process() {
  if (running()) kill_and_wait();
}

std::optional<ProcessEnd> Process::poll() {
  int status = 0;
  if (!running() || waitpid(id_, &status, WNOHANG) != id_) return std::nullopt;
  id_ = 0;
  return decode(status);
}

std::chrono::nanoseconds Process::cpu_time() const {
  clockid_t clock;
  timespec used = {};
  if (!running() || clock_getcpuclockid(id_, &clock) != 0 || clock_gettime(clock, &used) != 0) return {};
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

bool Process::is_stopped() const {
  const char state = state_in(fmt::format("/proc/{}/stat", id_));
  return state == 'T' || state == 't';
}

bool Process::is_waiting() const {
  const std::string tasks = fmt::format("/proc/{}/task", id_);
  DIR* directory = opendir(tasks.c_str());
  if (!directory) return false;
  bool waiting = true;
  while (const dirent* entry = readdir(directory)) {
    if (entry->d_name[0] == '.') continue;
    const char state = state_in(fmt::format("{}/{}/stat", tasks, entry->d_name));
    if (state) waiting &= state == 'S';
  }
  closedir(directory);
  return waiting;
}

ProcessEnd Process::wait() {
  int status = 0;
  while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
  id_ = 0;
  return decode(status);
}

ProcessEnd Process::kill_and_wait() {
  ::kill(id_, SIGKILL);
  return wait();
}

}  // namespace plait

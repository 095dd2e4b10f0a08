#include "host/describe.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "host/patience.h"
#include "host/process.h"
#include "trace/session.h"

namespace plait {
namespace {

constexpr int kNumber = 203;
constexpr double kSeconds = 60;
constexpr int kMostAttempts = 10;  // of a process that somebody kills

struct Answer {
  std::optional<ProcessEnd> end;  // none: it did not answer
  std::string tables, said;
};

Answer ask(const Program& program) {
  // A pipe: how much may be written to files (ulimit -f) does not matter.
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Error(kExitUsage, fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  const Descriptor reading(ends[0]);
  Descriptor writing(ends[1]);
  const Descriptor errors = make_memory_file("plait-errors", 0), input = open_input(program);
  Launch launch = program_launch(program);
  launch.environment.emplace_back(kDescribeVariable, fmt::format("/proc/self/fd/{}", kNumber));
  launch.environment.emplace_back("LD_BIND_NOW", "1");
  launch.descriptors = {{writing.number(), kNumber}};
  launch.input = input.number();
  launch.errors = errors.number();
  Process process(launch);
  writing = Descriptor();
  Answer answer;
  Patience patience(process, kSeconds);
  for (char buffer[65536];;) {
    pollfd waiting{reading.number(), POLLIN, 0};
    if (poll(&waiting, 1, 50) <= 0) {
      if (patience.look() != Patience::Answer::Wait) return answer;
      continue;
    }
    const ssize_t got = read(reading.number(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    patience.renew();
    answer.tables.append(buffer, static_cast<size_t>(got));
  }
  answer.end = process.wait();
  const Descriptor reading_errors = reopen_for_reading(errors.number());
  answer.said = read_all(reading_errors.number());
  while (!answer.said.empty() && answer.said.back() == '\n') answer.said.pop_back();
  return answer;
}

}  // namespace

std::string describe(const Program& program) {
  Answer answer = ask(program);
  for (int i = 1; i < kMostAttempts && answer.end && answer.end->from_outside(); ++i) {
    usleep(static_cast<useconds_t>(i) * 10'000);
    answer = ask(program);
  }
  if (!answer.end)
    throw Error(kExitUsage,
                fmt::format("'{}' does not answer: compile it again with this version of Plait", program.path));
  if (answer.end->signal == 0 && answer.end->exit_code == 0 && !answer.tables.empty()) return answer.tables;
  throw Error(kExitUsage, fmt::format("'{}' {} when asked for its tables{}", program.path, answer.end->text(),
                                      answer.said.empty() ? ": compile it again with 'plait c++' or 'plait cc'"
                                                          : ": " + answer.said));
}

}  // namespace plait

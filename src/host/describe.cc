#include "host/describe.h"

#include <fmt/core.h>
#include <unistd.h>

#include "base/error.h"
#include "host/process.h"
#include "trace/session.h"

namespace plait {

std::string describe(const Program& program) {
  constexpr int kNumber = 203;
  Descriptor tables = make_memory_file("plait-tables", 0), errors = make_memory_file("plait-errors", 0);
  Descriptor input = open_input(program);
  Launch launch;
  launch.path = program.path;
  launch.arguments = program.arguments;
  launch.environment = {{kDescribeVariable, fmt::format("/proc/self/fd/{}", kNumber)}, {"LD_BIND_NOW", "1"}};
  launch.descriptors = {{tables.number(), kNumber}};
  launch.input = input.number();
  launch.errors = errors.number();
  Process process(launch);
  std::optional<ProcessEnd> end;
  for (int i = 0; i < 60'000 && !(end = process.poll()); ++i) usleep(i < 100 ? 200 : 1000);
  if (!end)
    throw Error(kExitUsage,
                fmt::format("'{}' does not answer: compile it again with this version of Plait", program.path));
  Descriptor reading = reopen_for_reading(tables.number());
  std::string text = read_all(reading.number());
  if (end->signal == 0 && end->exit_code == 0 && !text.empty()) return text;
  Descriptor reading_errors = reopen_for_reading(errors.number());
  std::string said = read_all(reading_errors.number());
  while (!said.empty() && said.back() == '\n') said.pop_back();
  throw Error(kExitUsage,
              fmt::format("'{}' {} when asked for its tables{}", program.path, end->text(),
                          said.empty() ? ": compile it again with 'plait c++' or 'plait cc'" : ": " + said));
}

}  // namespace plait

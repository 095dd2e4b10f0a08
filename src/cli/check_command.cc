// plait check: explores a program and prints the result.
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "cli/check_engine.h"
#include "cli/monitor.h"
#include "cli/target.h"
#include "host/error.h"

namespace plait {

int run_check(const CheckOptions& options) {
  BugProgram target = prepare_target(options);
  catch_interrupts();
  CheckResult result = run_check_engine(options, target);
  std::string text;
  if (options.json) {
    text = json_text(result_to_json(result), 2) + "\n";
  } else {
    ResultTextOptions text_options;
    text_options.style = Style(use_color(options.color, 1));
    text_options.width = terminal_width(1);
    text_options.quiet = options.quiet;
    text_options.verbose = options.verbose;
    text = result_text(result, text_options);
  }
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw Error(kExitInternal, std::string("cannot write the result: ") + std::strerror(errno));
  return exit_code(result);
}

}  // namespace plait

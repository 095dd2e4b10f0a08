// plait c++, plait cc: a drop-in compiler.
#include "cli/options.h"
#include "compile/compile.h"

namespace plait {

int run_compile(bool cplusplus, const std::vector<std::string>& arguments) {
  return run_compiler(cplusplus, arguments);
}

}  // namespace plait

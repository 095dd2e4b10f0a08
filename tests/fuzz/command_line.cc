// The command line (the first line: words with a blank between them), plait.toml (the rest), and flags with quotes.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "base/memory.h"
#include "cli/options.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  using namespace plait;
  const std::string input(reinterpret_cast<const char*>(data), size);
  const size_t line = std::min(input.find('\n'), input.size());
  const Descriptor file = make_memory_file("plait-toml", 0);
  const std::string settings = input.substr(std::min(line + 1, input.size()));
  if (write(file.number(), settings.data(), settings.size()) < 0) return 0;
  std::vector<std::string> words = {"plait", "check", "--config", "/proc/self/fd/" + std::to_string(file.number())};
  for (size_t begin = 0; begin < line;) {
    const size_t end = std::min(input.find(' ', begin), line);
    words.push_back(input.substr(begin, end - begin));
    begin = end + 1;
  }
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  try {
    parse_command_line(static_cast<int>(arguments.size()), arguments.data());
    split_words(input);
  } catch (const Error&) {
  }
  return 0;
}

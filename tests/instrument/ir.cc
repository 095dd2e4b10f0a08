#include "ir.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace plait::test {

Output run(const std::vector<std::string>& command) {
  std::string line;
  for (const std::string& word : command) {
    line += "'";
    for (char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += "' ";
  }
  FILE* pipe = popen((line + "2>&1").c_str(), "r");
  if (!pipe) return {127, "popen failed"};
  Output output;
  char buffer[4096];
  while (size_t got = fread(buffer, 1, sizeof buffer, pipe)) output.text.append(buffer, got);
  const int status = pclose(pipe);
  output.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return output;
}

namespace {
struct Directory {
  std::string path;
  Directory() {
    char name[] = "/tmp/plait-test-XXXXXX";
    if (!mkdtemp(name)) abort();
    path = name;
  }
  ~Directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};
}  // namespace

const std::string& scratch_directory() {
  static Directory directory;
  return directory.path;
}

std::string write_file(const std::string& name, const std::string& text) {
  const std::string path = scratch_directory() + "/" + name;
  std::ofstream(path) << text;
  return path;
}

std::vector<std::string> plait_flags() {
  return {"-g",
          "-mcx16",
          "-fno-common",
          "-ftrivial-auto-var-init=pattern",
          "-D_GLIBCXX_ASSERTIONS",
          "-w",
          "-fplugin=" PLAIT_PLUGIN,
          "-fpass-plugin=" PLAIT_PLUGIN};
}

Ir compile(Lang lang, const std::string& source, std::vector<std::string> flags) {
  const bool cxx = lang == Lang::Cxx;
  const std::string file = write_file(cxx ? "snippet.cc" : "snippet.c", source);
  std::vector<std::string> command = {cxx ? PLAIT_CLANGXX : PLAIT_CLANG, "-O1"};
  for (const std::string& flag : plait_flags()) command.push_back(flag);
  command.insert(command.end(), flags.begin(), flags.end());
  command.insert(command.end(), {"-S", "-emit-llvm", "-o", "-", file});
  Output output = run(command);
  EXPECT_EQ(output.status, 0) << output.text;
  return {output.text};
}

std::string Ir::function(const std::string& symbol) const {
  std::istringstream lines(text);
  std::string line, body;
  bool inside = false;
  while (std::getline(lines, line)) {
    if (line.starts_with("define ") && line.find("@" + symbol + "(") != std::string::npos) inside = true;
    if (inside) body += line + "\n";
    if (inside && line == "}") return body;
  }
  ADD_FAILURE() << "no function " << symbol << " in\n" << text;
  return "";
}

bool Ir::has_text(const std::string& wanted) const { return text.find("c\"" + wanted + "\\00\"") != std::string::npos; }

std::string Ir::global(const std::string& symbol) const {
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line))
    if (line.starts_with("@" + symbol + " =")) return line;
  return "";
}

size_t count(const std::string& in, const std::string& what) {
  size_t found = 0;
  for (size_t at = in.find(what); at != std::string::npos; at = in.find(what, at + what.size())) ++found;
  return found;
}

size_t hooks(const std::string& body) {
  const size_t checks = count(body, "@__plait_uninitialised");
  return count(body, "__plait") - count(body, "@__plait_unknown") - count(body, "@__plait_opaque") - checks;
}

}  // namespace plait::test

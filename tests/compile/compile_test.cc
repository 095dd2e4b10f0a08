// Real compilations with the real plugin and runtime: sources for `plait check`, separate and shared objects.
#include "compile/compile.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "compile/process.h"

namespace plait {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class Compile : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = testing::TempDir() + "plait_compile_" + testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(directory_);
    fs::create_directories(directory_);
    toolchain_ = locate_toolchain();
    toolchain_.plugin = PLAIT_PLUGIN;
    toolchain_.runtime = PLAIT_RUNTIME;
    toolchain_.runtime_cxx = PLAIT_RUNTIME_CXX;
    toolchain_.standard = PLAIT_STANDARD;
    toolchain_.frames = PLAIT_FRAMES;
    toolchain_.include = PLAIT_INCLUDE;
  }
  void TearDown() override { fs::remove_all(directory_); }

  std::string file(const std::string& name, const std::string& text) {
    const std::string path = directory_ + "/" + name;
    std::ofstream(path) << text;
    return path;
  }
  Captured compiler(bool cplusplus, const Words& args) {
    return capture(compiler_command(toolchain_, cplusplus, args));
  }
  /// A clean link prints nothing; the note tells that the program is instrumented.
  void expect_instrumented(const std::string& program) {
    std::ifstream in(program, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(in), {});
    EXPECT_NE(bytes.find("plait-instrumented v1"), std::string::npos) << program;
  }
  size_t files() { return static_cast<size_t>(std::distance(fs::directory_iterator(directory_), {})); }

  std::string directory_;
  Toolchain toolchain_;
};

TEST_F(Compile, MixedSources) {
  const std::string c = file("a.c", "int add(int a, int b) { typeof(a) x = a; return x + b; }\n");
  const std::string cc = file("b.cc",
                              "#include <string>\n#include <plait.h>\nextern \"C\" int add(int, int);\n"
                              "int main() { auto f = []<class T>(T t) { return t; }; plait_assert(add(1, 2) == f(3)); "
                              "return (int)std::string(\"x\").size() - 1; }\n");
  const CompileResult result = compile_sources(toolchain_, {c, cc}, {"-Wall", "-lm"}, directory_ + "/program");
  EXPECT_TRUE(result.ok) << result.diagnostics;
  EXPECT_EQ(result.diagnostics, "");
  expect_instrumented(directory_ + "/program");
  EXPECT_EQ(files(), 3u) << "no temporary files are left";
}

TEST_F(Compile, ErrorsOfEverySourceAndNothingHalfWritten) {
  const std::string a = file("a.c", "int main(void) { return undeclared_a; }\n");
  const std::string b = file("b.cc", "int f() { return undeclared_b; }\n");
  const CompileResult result = compile_sources(toolchain_, {a, b}, {}, directory_ + "/program");
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.diagnostics.find("undeclared_a"), std::string::npos);
  EXPECT_NE(result.diagnostics.find("undeclared_b"), std::string::npos);
  EXPECT_EQ(files(), 2u);
}

TEST_F(Compile, LinkErrorLeavesTheOldProgram) {
  const std::string program = file("program", "old");
  const std::string a = file("a.c", "void missing(void); int main(void) { missing(); }\n");
  EXPECT_FALSE(compile_sources(toolchain_, {a}, {}, program).ok);
  std::ifstream in(program);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "old");
}

TEST_F(Compile, MissingSourceAndStandards) {
  EXPECT_FALSE(compile_sources(toolchain_, {directory_ + "/none.c"}, {}, directory_ + "/program").ok);
  const std::string old = file("old.cc", "#if __cplusplus != 201402L\n#error standard\n#endif\nint main() {}\n");
  EXPECT_TRUE(compile_sources(toolchain_, {old}, {"-std=c++14"}, directory_ + "/program").ok);
  const std::string now = file("now.cc", "#if __cplusplus != 202002L\n#error standard\n#endif\nint main() {}\n");
  EXPECT_TRUE(compile_sources(toolchain_, {now}, {}, directory_ + "/program").ok);
}

TEST_F(Compile, SeparateObjectsAndSharedLibrary) {
  const std::string lib = file("lib.c", "int counter; int next(void) { return ++counter; }\n");
  const std::string main = file("main.c", "int next(void); int main(void) { return next() + next() - 3; }\n");
  const std::string so = directory_ + "/libnext.so", o = directory_ + "/main.o", program = directory_ + "/program";
  Captured done = compiler(false, {"-shared", "-fPIC", "-Wl,-z,defs", lib, "-o", so});
  ASSERT_EQ(done.status, 0) << done.output;
  EXPECT_EQ(done.output, "");
  done = compiler(false, {"-c", main, "-o", o});
  ASSERT_EQ(done.status, 0) << done.output;
  EXPECT_EQ(done.output, "");
  done = compiler(false, {o, so, "-o", program});
  ASSERT_EQ(done.status, 0) << done.output;
  EXPECT_EQ(done.output, "");
  expect_instrumented(program);
}

TEST_F(Compile, PhasesPassThrough) {
  const std::string source = file("a.c", "int f(void) { return __PLAIT__; }\n");
  Captured done = compiler(false, {"-E", "-P", source});
  EXPECT_EQ(done.output, "int f(void) { return 1; }\n");
  done = compiler(false, {"-S", "-o", "-", source});
  EXPECT_EQ(done.status, 0);
  EXPECT_NE(done.output.find(".note.plait"), std::string::npos);
  done = compiler(false, {"-fsyntax-only", "-Werror", source});
  EXPECT_EQ(done.output, "");
  done = compiler(false, {"--version"});
  EXPECT_NE(done.output.find("clang version 19"), std::string::npos);
  const std::string empty = file("empty.txt", "int main(void) { return 0; }\n");
  done = compiler(false, {"-x", "c", empty, "-o", directory_ + "/from_language"});
  EXPECT_EQ(done.status, 0) << "the language must not reach the runtime's archive: " << done.output.substr(0, 500);
  const std::string assembler = file("b.s", ".globl g\ng: ret\n");
  done = compiler(false, {"-Werror", "-c", assembler, "-o", directory_ + "/b.o"});
  EXPECT_EQ(done.status, 0) << done.output;
}

}  // namespace
}  // namespace plait

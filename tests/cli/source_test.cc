// The whole way: sources through the compiler, the instrumented program through the engine.
#include "command.h"

namespace plait {
namespace {

class Source : public CommandTest {
 protected:
  void write_lost_update() {
    write("lost.c",
          "#include <assert.h>\n#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\nint x;\n"
          "void* add(void* p) { x = x + *(int*)p; return 0; }\n"
          "int main(int argc, char** argv) {\n"
          "  int n = argc > 1 ? atoi(argv[1]) : 1;\n"
          "  pthread_t t;\n"
          "  pthread_create(&t, 0, add, &n);\n"
          "  add(&n);\n"
          "  pthread_join(t, 0);\n"
          "  printf(\"%d\\n\", x);\n"
          "#ifdef CHECK\n  assert(x == 2 * n);\n#endif\n"
          "  return 0;\n}\n");
  }
};

TEST_F(Source, BugAndReplay) {
  write_lost_update();
  auto json = check_json("--cflags '-DCHECK -O1' lost.c -- 5", 10);
  ASSERT_EQ(json["bugs"].size(), 1u);
  EXPECT_EQ(json["bugs"][0]["kind"], "assertion");
  EXPECT_EQ(json["bugs"][0]["file"], "lost.c");
  EXPECT_EQ(json["bugs"][0]["line"], 15);
  EXPECT_TRUE(exists("plait-out/build/lost"));
  Ran replay = shell("plait replay plait-out/bug-1.json");
  EXPECT_EQ(replay.exit_code, 10) << replay.err;
  EXPECT_NE(replay.out.find("5\n"), std::string::npos) << replay.out;  // the program's own output
  // The binary is gone: it is compiled again.
  EXPECT_EQ(shell("rm -r plait-out/build && plait replay plait-out/bug-1.json").exit_code, 10);
  // The program has changed.
  Ran changed = shell("sed -i 's/x + /x + 1 + /' lost.c && rm -r plait-out/build && plait replay plait-out/bug-1.json");
  EXPECT_EQ(changed.exit_code, 5) << changed.out << changed.err;
  EXPECT_NE(changed.err.find("diverged at event"), std::string::npos) << changed.err;
}

TEST_F(Source, StoryShowsSourceLines) {
  write_lost_update();
  Ran ran = shell("plait check --explore exhaustive --cflags -DCHECK lost.c");
  EXPECT_EQ(ran.exit_code, 10);
  EXPECT_NE(ran.out.find("void* add(void* p)"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("write x = 1"), std::string::npos) << ran.out;
}

TEST_F(Source, OutcomesOfTheRealProgram) {
  write_lost_update();
  auto json = check_json("--races off --outcomes lost.c", 0);
  ASSERT_EQ(json["outcomes"].size(), 2u);
  EXPECT_EQ(json["outcomes"][0]["stdout"], "1\n");
  EXPECT_EQ(json["outcomes"][1]["stdout"], "2\n");
  check_json("--races off --self-check lost.c", 0);
}

TEST_F(Source, CompileErrorsPassThrough) {
  write("bad.c", "int main(void) { return x; }\n");
  Ran ran = shell("plait check --explore exhaustive bad.c");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.err.find("use of undeclared identifier"), std::string::npos) << ran.err;
  EXPECT_EQ(ran.out, "");
  EXPECT_FALSE(exists("plait-out/build/bad"));
}

TEST_F(Source, StandardInput) {
  write("input.txt", "7\n");
  write("reads.c",
        "#include <stdio.h>\nint main(void) { int n = 0; if (scanf(\"%d\", &n) != 1) n = -1; printf(\"%d\\n\", n); "
        "return 0; }\n");
  EXPECT_EQ(check_json("--outcomes --stdin input.txt reads.c", 0)["outcomes"][0]["stdout"], "7\n");
  EXPECT_EQ(check_json("--outcomes reads.c < input.txt", 0)["outcomes"][0]["stdout"], "7\n");
  EXPECT_EQ(check_json("--outcomes reads.c", 0)["outcomes"][0]["stdout"], "-1\n");
  Ran piped = shell("echo 8 | plait check --explore exhaustive --format json --outcomes --stdin - reads.c");
  EXPECT_EQ(nlohmann::json::parse(piped.out)["outcomes"][0]["stdout"], "8\n");
}

TEST_F(Source, Debugger) {
  if (std::system("command -v gdb >/dev/null 2>&1") != 0) return;
  write_lost_update();
  check_json("--cflags -DCHECK lost.c", 10);
  Ran ran =
      shell("printf 'backtrace\\nkill\\nquit\\n' | timeout 60 '" PLAIT_COMMAND "' replay plait-out/bug-1.json --gdb");
  EXPECT_NE(ran.out.find("SIGTRAP"), std::string::npos) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("lost.c:15"), std::string::npos) << ran.out << ran.err;
}

}  // namespace
}  // namespace plait

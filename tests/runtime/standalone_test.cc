// Programs compiled with the wrapper and started by their own name: what configure scripts, CMake's try_run and people
// do.
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace plait {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCounter =
    "#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
    "static int sum;\nstatic pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n"
    "static void* add(void* p) {\n"
    "  pthread_mutex_lock(&lock);\n  sum += *(int*)p;\n  pthread_mutex_unlock(&lock);\n  return p;\n}\n"
    "int main(int argc, char** argv) {\n"
    "  pthread_t a, b;\n  int n = argc > 1 ? atoi(argv[1]) : 1;\n"
    "  pthread_create(&a, 0, add, &n);\n  pthread_create(&b, 0, add, &n);\n"
    "  pthread_join(a, 0);\n  pthread_join(b, 0);\n"
    "  printf(\"%d %s\\n\", sum, getenv(\"WORD\") ? getenv(\"WORD\") : \"-\");\n  return sum;\n}\n";

constexpr const char* kQueue =
    "#include <condition_variable>\n#include <iostream>\n#include <mutex>\n#include <queue>\n#include <string>\n"
    "#include <thread>\n"
    "std::queue<std::string> queue;\nstd::mutex mutex;\nstd::condition_variable filled;\n"
    "int main() {\n"
    "  std::thread producer([] {\n    for (const char* word : {\"one\", \"two\", \"three\"}) {\n"
    "      std::lock_guard guard(mutex);\n      queue.push(word);\n      filled.notify_one();\n    }\n  });\n"
    "  for (int i = 0; i < 3; ++i) {\n    std::unique_lock guard(mutex);\n"
    "    filled.wait(guard, [] { return !queue.empty(); });\n"
    "    std::cout << queue.front() << std::endl;\n    queue.pop();\n  }\n"
    "  producer.join();\n  return 3;\n}\n";

std::string content(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Standalone : public testing::Test {
 protected:
  void SetUp() override {
    directory_ =
        testing::TempDir() + "plait-standalone-" + testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(directory_);
    fs::create_directories(directory_);
    personality(0);  // as a user's shell, even if this test runs without randomisation
  }
  void TearDown() override {
    if (!HasFailure()) fs::remove_all(directory_);
  }
  void write(const std::string& name, const std::string& text) { std::ofstream(directory_ + "/" + name) << text; }
  /// Exit code of a shell command in the test's directory, or -1; what it printed is in out_ and err_.
  int shell(const std::string& line) {
    const int status = std::system(("cd '" + directory_ + "' && (" + line + ") >.out 2>.err </dev/null").c_str());
    out_ = content(directory_ + "/.out");
    err_ = content(directory_ + "/.err");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string directory_, out_, err_;
};

TEST_F(Standalone, CProgram) {
  write("counter.c", kCounter);
  ASSERT_EQ(shell(PLAIT_BIN "/plait cc counter.c -o counter"), 0) << err_;
  EXPECT_EQ(shell("./counter 21"), 42) << err_;
  EXPECT_EQ(out_, "42 -\n");
  EXPECT_EQ(shell("PATH=$PWD:$PATH WORD='two words' counter"), 2) << "arguments and environment are kept: " << err_;
  EXPECT_EQ(out_, "2 two words\n");
  EXPECT_EQ(err_, "");
}

TEST_F(Standalone, CPlusPlusProgram) {
  write("queue.cc", kQueue);
  for (const char* flags : {"", "-O0", "-O2 -no-pie"}) {
    ASSERT_EQ(shell(std::string(PLAIT_BIN "/plait c++ queue.cc -o queue ") + flags), 0) << err_;
    EXPECT_EQ(shell("./queue"), 3) << flags << "\n" << err_;
    EXPECT_EQ(out_, "one\ntwo\nthree\n") << flags;
    EXPECT_EQ(err_, "") << flags;
  }
}

TEST_F(Standalone, FailingProgram) {
  write("fails.c", "#include <assert.h>\nint main(int n, char** v) { assert(n == 7); return 0; }\n");
  ASSERT_EQ(shell(PLAIT_BIN "/plait cc fails.c -o fails"), 0) << err_;
  EXPECT_EQ(shell("./fails"), 134);
  EXPECT_NE(err_.find("n == 7"), std::string::npos) << err_;
}

TEST_F(Standalone, ConfigureTest) {
  write("conftest.c",
        "#include <stdio.h>\nint main(void) {\n  FILE* f = fopen(\"conftest.val\", \"w\");\n  if (!f) return 1;\n"
        "  fprintf(f, \"%d\\n\", (int)sizeof(long));\n  return ferror(f) || fclose(f) != 0;\n}\n");
  EXPECT_EQ(shell(PLAIT_BIN "/plait-cc -g -O2 -o conftest conftest.c && ./conftest"), 0) << err_;
  EXPECT_EQ(content(directory_ + "/conftest.val"), "8\n");
}

TEST_F(Standalone, CMakeProject) {
  write("counter.c", kCounter);
  write("queue.cc", kQueue);
  write(
      "CMakeLists.txt",
      "cmake_minimum_required(VERSION 3.25)\nproject(t C CXX)\nfind_package(Threads REQUIRED)\n"
      "try_run(RAN_C BUILT_C SOURCES ${CMAKE_SOURCE_DIR}/counter.c RUN_OUTPUT_VARIABLE C_SAID ARGS 4)\n"
      "try_run(RAN_CXX BUILT_CXX SOURCES ${CMAKE_SOURCE_DIR}/queue.cc RUN_OUTPUT_VARIABLE CXX_SAID)\n"
      "file(WRITE ${CMAKE_BINARY_DIR}/result \"${BUILT_C} ${RAN_C} ${C_SAID}${BUILT_CXX} ${RAN_CXX} ${CXX_SAID}\")\n");
  EXPECT_EQ(shell("CC=" PLAIT_BIN "/plait-cc CXX=" PLAIT_BIN "/plait-c++ " CMAKE_PROGRAM " -B build ."), 0) << err_;
  EXPECT_EQ(content(directory_ + "/build/result"), "TRUE 8 8 -\nTRUE 3 one\ntwo\nthree\n");
}

/// As the seccomp profiles of containers do: the personality can be asked for, not changed.
void refuse_personality() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_personality, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0xffffffff, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter = {static_cast<unsigned short>(std::size(program)), program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
    _exit(126);
}

TEST_F(Standalone, RefusedPersonality) {
  write("counter.c", kCounter);
  ASSERT_EQ(shell(PLAIT_BIN "/plait cc counter.c -o counter"), 0) << err_;
  const pid_t child = fork();
  if (child == 0) {
    refuse_personality();
    _exit(shell("./counter"));
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 126) GTEST_SKIP() << "no seccomp filters here";
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 70) << status;
  EXPECT_EQ(content(directory_ + "/.out"), "");
  const std::string message = content(directory_ + "/.err");
  EXPECT_NE(message.find("address-space randomisation"), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), message.size() - 1) << message;
}

}  // namespace
}  // namespace plait

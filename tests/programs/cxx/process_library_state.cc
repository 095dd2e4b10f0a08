// What the C and C++ libraries keep for the whole process is as it was when a run begins: locale, options, handlers, time zone, streams.
// CHECK: verdict=safe
// EXPLORERS: all
#include <getopt.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <locale>
#include <new>
#include <thread>

static std::atomic<int> x;
static char text[] = "a";
static char option_text[] = "-ab";
static char name[] = "program";

int main() {
  assert(!strcmp(setlocale(LC_ALL, nullptr), "C") && std::locale() == std::locale::classic());
  setlocale(LC_ALL, "C.UTF-8");
  try {
    std::locale::global(std::locale("C.UTF-8"));
  } catch (...) {
  }

  assert(optind == 1);
  char* arguments[] = {name, option_text, nullptr};
  assert(getopt(2, arguments, "ab") == 'a');  // a run that stops in the middle of an argument

  assert(std::get_new_handler() == nullptr);
  std::set_new_handler([] {});
  const auto handler = std::set_terminate([] {});
  assert(handler != nullptr && handler != std::get_terminate());

  assert(timezone == 0);
  setenv("TZ", "XYZ5", 1);
  const time_t now = 0;
  assert(localtime(&now)->tm_hour == 19 && timezone == 5 * 3600);

  static char buffer[64];
  assert(setvbuf(stdout, buffer, _IOFBF, sizeof buffer) == 0);
  std::puts("kept in the program's own buffer");
  assert(std::fgetc(stdin) == EOF && std::feof(stdin));
  assert(std::ungetc('x', stdin) == 'x');
  assert(strtok(text, ",") == text);
  std::srand(7);

  std::thread a([] { ++x; }), b([] { ++x; });
  a.join();
  b.join();
  std::fclose(stdout);
  return 0;
}

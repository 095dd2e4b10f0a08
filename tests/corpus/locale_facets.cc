// A locale with a facet of the program's own, used by two threads' streams.
// CHECK: verdict=safe
// MERGED
#include <cassert>
#include <ctime>
#include <iomanip>
#include <locale>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
struct Dots : std::numpunct<char> {
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};
int main() {
  std::locale loc(std::locale::classic(), new Dots);
  std::string x, y;
  auto fmt = [&loc](std::string& out, long v) {
    std::ostringstream o;
    o.imbue(loc);
    o << v;
    out = o.str();
  };
  std::thread a(fmt, std::ref(x), 1234567L), b(fmt, std::ref(y), 1000L);
  a.join();
  b.join();
  assert(x == "1.234.567" && y == "1.000");
  assert(std::toupper('a', loc) == 'A' && std::isdigit('7', loc));
  assert(std::use_facet<std::numpunct<char>>(loc).thousands_sep() == '.');
}

// A locale that says yes and no, for output and input; vectors and strings of std::pmr.
// CHECK: verdict=safe
// MERGED
#include <cassert>
#include <iomanip>
#include <locale>
#include <memory_resource>
#include <sstream>
#include <string>
#include <thread>
#include <vector>
struct Bool : std::numpunct<char> {
  std::string do_truename() const override { return "yes, of course, always"; }
  std::string do_falsename() const override { return "no"; }
  char do_decimal_point() const override { return ','; }
};
int main() {
  std::locale loc(std::locale::classic(), new Bool);
  std::vector<std::thread> t;
  for (int i = 0; i < 2; ++i)
    t.emplace_back([&, i] {
      std::ostringstream o;
      o.imbue(loc);
      o << std::boolalpha << (i == 0) << 1.5 << std::setw(6) << i;
      assert(o.str() == (i == 0 ? "yes, of course, always1,5     0" : "no1,5     1"));
      std::istringstream in("2,5 7");
      in.imbue(loc);
      double d;
      int n;
      in >> d >> n;
      assert(d == 2.5 && n == 7);
      std::pmr::vector<int> v;
      v.push_back(1);
      std::pmr::string s("abc", std::pmr::get_default_resource());
      s += "a text of more than fifteen letters";
    });
  for (auto& x : t) x.join();
}

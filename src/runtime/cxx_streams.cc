// What the standard streams and the locale fill in when they are first asked, filled in before the first run: in a run
// it would be whichever thread comes first who does it. Compiled like cxx_terminate.cc.
#include <ios>
#include <istream>
#include <locale>
#include <ostream>

extern "C" {
void __plait_warm_streams();
extern char _ZSt3cin[], _ZSt4cout[], _ZSt4cerr[], _ZSt4clog[];
extern char _ZSt4wcin[], _ZSt5wcout[], _ZSt5wcerr[], _ZSt5wclog[];
}

namespace {

template <class Stream>
void ask(void* object) {
  if (*static_cast<void**>(object)) static_cast<Stream*>(object)->fill();  // it has been constructed
}

}  // namespace

void __plait_warm_streams() {
  ask<std::istream>(_ZSt3cin);
  ask<std::wistream>(_ZSt4wcin);
  for (void* stream : {_ZSt4cout, _ZSt4cerr, _ZSt4clog}) ask<std::ostream>(stream);
  for (void* stream : {_ZSt5wcout, _ZSt5wcerr, _ZSt5wclog}) ask<std::wostream>(stream);
  const auto& kinds = std::use_facet<std::ctype<char>>(std::locale::classic());
  const char letter[] = "a";
  char text[1];
  for (int c = 1; c < 256; ++c) kinds.narrow(static_cast<char>(c), '\0');
  kinds.widen(letter, letter + 1, text);
  kinds.narrow(letter, letter + 1, '\0', text);
  kinds.widen('a');
}

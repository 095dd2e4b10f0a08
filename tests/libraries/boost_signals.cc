// boost::signals2: a slot is connected while the signal is emitted; the second emission reaches it.
#include <boost/signals2.hpp>
#include <cassert>
#include <thread>

int main() {
  boost::signals2::signal<void(int)> changed;
  int heard = 0;
  std::thread listener([&] { changed.connect([&](int by) { heard += by; }); });
  changed(1);
  listener.join();
  changed(10);
  assert(heard == 10 || heard == 11);
#ifdef WRONG  // holds in some schedules only
  assert(heard == 10);
#endif
}

// libsigc++ is not made for threads: a signal that one thread emits while another connects is a race.
#include <sigc++/sigc++.h>

#include <cassert>
#include <thread>

int main() {
  sigc::signal<void(int)> changed;
  int heard = 0;
  std::thread listener([&] { changed.connect([&](int by) { heard += by; }); });
  changed.emit(1);
  listener.join();
  changed.emit(10);
}

#include "explore/explorer.h"

namespace plait {

bool explore(Explorer& explorer, Exploration& exploration) {
  for (;;) {
    exploration.refresh();
    exploration.control.counters.interleavings.store(0);
    switch (explorer.attempt(exploration)) {
      case Attempt::Complete: return true;
      case Attempt::Stopped: return false;
      case Attempt::SharingGrew: break;
    }
    if (exploration.control.stopped()) return false;
    exploration.control.counters.restarts.fetch_add(1);
    exploration.sink.restarted();
  }
}

}  // namespace plait

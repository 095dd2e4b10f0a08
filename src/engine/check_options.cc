#include "engine/check_options.h"

namespace plait {

KindSet CheckOptions::checked() const {
  const KindSet race = KindSet::parse("race"), exits = KindSet::parse("exit-with-threads");
  KindSet set = check.empty() ? KindSet::standard() : KindSet::parse(check);
  if (races == "on") set.add(race);
  if (exit_with_threads == "bug") set.add(exits);
  if (!ignore.empty()) set.remove(KindSet::parse(ignore));
  if (races == "off") set.remove(race);
  if (exit_with_threads == "note") set.remove(exits);
  return set;
}

}  // namespace plait

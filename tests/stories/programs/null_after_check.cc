// The pointer is set to null between the check and the use.
// fix: read it once into a local (and keep the object alive).
// says: active = null (step 6) was written by T1
#include <atomic>
#include <thread>

struct Config {
  std::atomic<int> limit{10};
};

Config settings;
std::atomic<Config*> active{&settings};

int limit() {
  if (active.load()) return active.load()->limit;
  return 0;
}

int main() {
  std::thread reload([] { active = nullptr; });
  int seen = limit();
  reload.join();
  return seen == 3;
}

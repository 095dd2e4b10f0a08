// The flag is read under a lock, the block is deleted outside of it: nobody else has touched the block.
// CHECK: verdict=bug kind=double-free line=@delete
// CHECK-FIXED: verdict=safe
#include <mutex>
#include <thread>
#include <utility>

namespace {

std::mutex mutex;
bool present = true;
int* block;

void take() {
#ifdef FIXED
  bool mine;
  {
    std::lock_guard guard(mutex);
    mine = std::exchange(present, false);
  }
  if (mine) delete block;
#else
  bool mine;
  {
    std::lock_guard guard(mutex);
    mine = present;
  }
  if (mine) delete block;  // @delete
  std::lock_guard guard(mutex);
  present = false;
#endif
}

}  // namespace

int main() {
  block = new int;
  std::thread a(take), b(take);
  a.join();
  b.join();
}

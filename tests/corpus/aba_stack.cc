// A stack whose nodes are used again: the compare-and-swap cannot tell.
// CHECK: verdict=bug kind=assertion
// CHECK-FIXED: verdict=safe
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

int next[3] = {1, 2, -1};  // 0 -> 1 -> 2
std::atomic<int> head{0};
std::atomic<int> taken[3];
std::mutex mutex;

int pop() {
#ifdef FIXED
  std::lock_guard lock(mutex);
#endif
  for (;;) {
    int first = head;
    if (first < 0) return -1;
    if (head.compare_exchange_strong(first, std::atomic_ref(next[first]).load())) return first;
  }
}
void push(int node) {
#ifdef FIXED
  std::lock_guard lock(mutex);
#endif
  int first = head;
  do std::atomic_ref(next[node]).store(first);
  while (!head.compare_exchange_strong(first, node));
}

int main() {
  std::thread slow([] {
    const int node = pop();
    if (node >= 0) ++taken[node];
  });
  const int a = pop(), b = pop();
  if (b >= 0) ++taken[b];
  if (a >= 0) push(a);
  slow.join();
  for (int node = pop(); node >= 0; node = pop()) ++taken[node];
  for (auto& count : taken) assert(count <= 1);
}

// A lock-free free list of indices: pop() can succeed although the list has changed twice in between (ABA).
// fix: a counter next to the index, changed by each exchange.
// says: compare and swap head: 0 -> 1
// says: owner[1] = 1 (step 20) was written by T1 at aba.cc
#include <atomic>
#include <cassert>
#include <thread>

constexpr int kNone = -1;
std::atomic<int> head{0};
std::atomic<int> next_of[3] = {1, 2, kNone};
std::atomic<int> owner[3];

int pop() {
  int top = head.load();
  while (top != kNone) {
    int next = next_of[top].load();
    if (head.compare_exchange_strong(top, next)) return top;
  }
  return kNone;
}

void push(int node) {
  int top = head.load();
  do next_of[node] = top;
  while (!head.compare_exchange_strong(top, node));
}

int main() {
  std::thread other([] {
    int a = pop();
    int b = pop();
    if (a != kNone) push(a);
    if (b != kNone) owner[b] = 1;
  });
  int mine = pop();
  if (mine != kNone) owner[mine] = 2;
  int second = pop();
  if (second != kNone) assert(owner[second] == 0);
  other.join();
}

// Treiber's lock-free stack over a fixed pool of nodes, and its classic bug: ABA.
//
//   plait check examples/lockfree_stack.cc                 finds that a popped node is still in the stack
//   plait check --cflags -DTAGGED examples/lockfree_stack.cc       safe: the head carries a version
//
// pop() reads head (A) and its successor (B), then swings head from A to B. If in between the other thread pops A and B
// and pushes A back, the compare-and-swap succeeds (head is A again) and makes B, which is in use, the head.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

constexpr std::uint32_t kNone = 0xffff;

struct Node {
  std::atomic<std::uint32_t> next{kNone};
};

Node nodes[2];

#ifdef TAGGED
constexpr std::uint32_t kVersion = 0x10000;  // one more with every change of head
#else
constexpr std::uint32_t kVersion = 0;
#endif

class Stack {
 public:
  void push(std::uint32_t node) {
    std::uint32_t head = head_.load();
    do nodes[node].next = head & 0xffff;
    while (!head_.compare_exchange_strong(head, ((head & ~0xffffu) + kVersion) | node));
  }

  std::uint32_t pop() {
    std::uint32_t head = head_.load();
    for (;;) {
      const std::uint32_t node = head & 0xffff;
      if (node == kNone) return kNone;
      const std::uint32_t next = nodes[node].next;
      if (head_.compare_exchange_strong(head, ((head & ~0xffffu) + kVersion) | next)) return node;
    }
  }

 private:
  std::atomic<std::uint32_t> head_{kNone};
};

Stack stack;

int main() {
  stack.push(1);
  stack.push(0);  // the stack is 0, 1
  std::uint32_t mine = kNone;
  std::thread other([&] { mine = stack.pop(); });
  const std::uint32_t a = stack.pop();
  const std::uint32_t b = stack.pop();  // kept by this thread from now on
  if (a != kNone) stack.push(a);
  other.join();
  const std::uint32_t left = stack.pop();
  // A node that a thread has popped and kept is in no other hands.
  assert(b == kNone || (b != mine && b != left));
  assert(mine == kNone || mine != left);
}

// A lock-free stack whose pop takes a node that has come back: ABA.
// says: compare and swap stack.head: &nodes[1] -> &nodes[0]
// says: nodes[0].value = 42
// says: was written by T2
// fix: count the changes of head beside the pointer
#include <atomic>
#include <cassert>
#include <thread>
struct Node {
  int value;
  Node* next;
};
struct Stack {
  std::atomic<Node*> head{nullptr};
  void push(Node* n) {
    n->next = head.load();
    while (!head.compare_exchange_weak(n->next, n)) {
    }
  }
  Node* pop() {
    Node* top = head.load();
    while (top) {
      Node* next = top->next;
      if (head.compare_exchange_strong(top, next)) return top;
    }
    return nullptr;
  }
};
int main() {
  Node nodes[2] = {{0, nullptr}, {1, nullptr}};
  Stack stack;
  stack.push(&nodes[0]);
  stack.push(&nodes[1]);
  std::thread slow([&] { stack.pop(); });
  std::thread fast([&] {
    Node* a = stack.pop();
    Node* b = stack.pop();
    if (a) stack.push(a);
    if (b && a) b->value = 42;
  });
  slow.join();
  fast.join();
  int left = 0;
  for (Node* n = stack.head.load(); n; n = n->next) ++left, assert(n->value != 42);
}

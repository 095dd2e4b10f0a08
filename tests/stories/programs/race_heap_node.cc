// push() writes the value of a node that it has published already.
// fix: set node->value before the compare_exchange.
// says: main reads Node#1.value while T1 writes it
// says: the Node of Stack::push(int) at
// says: neither thread holds a lock
#include <atomic>
#include <thread>

struct Node {
  Node* next = nullptr;
  int value = 0;
};

class Stack {
 public:
  void push(int value) {
    Node* node = new Node;
    node->next = head_.load();
    while (!head_.compare_exchange_weak(node->next, node)) {
    }
    node->value = value;
  }
  int top() const {
    Node* node = head_.load();
    return node ? node->value : -1;
  }

 private:
  std::atomic<Node*> head_{nullptr};
};

int main() {
  Stack stack;
  stack.push(1);
  std::thread pusher([&] { stack.push(2); });
  int seen = stack.top();
  pusher.join();
  return seen == 17;
}

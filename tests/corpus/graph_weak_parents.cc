// A tree with shared children and weak parents is taken apart while another thread looks at a leaf.
// CHECK: verdict=safe
#include <cassert>
#include <memory>
#include <thread>
#include <vector>

struct Node : std::enable_shared_from_this<Node> {
  explicit Node(int v) : value(v) {}
  std::shared_ptr<Node> add(int v) {
    auto child = std::make_shared<Node>(v);
    child->parent = weak_from_this();
    children.push_back(child);
    return child;
  }
  int value;
  std::weak_ptr<Node> parent;
  std::vector<std::shared_ptr<Node>> children;
};

int main() {
  auto root = std::make_shared<Node>(1);
  auto leaf = root->add(2);
  std::thread reader([leaf] {
    auto parent = leaf->parent.lock();
    assert(!parent || parent->value == 1);
  });
  root.reset();
  reader.join();
  assert(leaf->value == 2);
}

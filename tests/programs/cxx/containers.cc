// std::set and std::list, whose nodes libstdc++ links in functions that are not in its headers, and for which the runtime stands in: a tree
// stays one, whatever is inserted and erased.
// CHECK: verdict=safe
#include <cassert>
#include <list>
#include <set>
#include <thread>
#include <vector>

/// Black nodes on every path below `node`; -1: it is no red-black tree.
int black_height(const std::_Rb_tree_node_base* node) {
  if (!node) return 0;
  const bool red = node->_M_color == std::_S_red;
  for (const auto* child : {node->_M_left, node->_M_right})
    if (child && (child->_M_parent != node || (red && child->_M_color == std::_S_red))) return -1;
  const int left = black_height(node->_M_left), right = black_height(node->_M_right);
  return left != right || left < 0 ? -1 : left + !red;
}

void check(const std::set<int>& set, const std::vector<bool>& wanted) {
  const auto* header = set.end()._M_node;
  if (set.empty()) {
    assert(!header->_M_parent && header->_M_left == header && header->_M_right == header);
    return;
  }
  assert(header->_M_parent->_M_parent == header && header->_M_parent->_M_color == std::_S_black);
  assert(black_height(header->_M_parent) > 0);
  auto forward = set.begin();
  for (int i = 0; i < static_cast<int>(wanted.size()); ++i)
    if (wanted[i]) assert(forward != set.end() && *forward++ == i);
  assert(forward == set.end());
  auto backward = set.end();
  for (int i = static_cast<int>(wanted.size()); i-- > 0;)
    if (wanted[i]) assert(*--backward == i);
  assert(backward == set.begin());
}

void grow_and_shrink() {
  std::set<int> set;
  std::vector<bool> wanted(24);
  unsigned random = 1;
  for (int step = 0; step < 300; ++step) {
    random = random * 1103515245 + 12345;
    const int value = static_cast<int>(random >> 16) % 24;
    if ((random >> 8) % 100 < (step / 75 % 2 ? 25u : 75u)) {
      assert(set.insert(value).second == !wanted[value]);
      wanted[value] = true;
    } else {
      assert(set.erase(value) == static_cast<size_t>(wanted[value]));
      wanted[value] = false;
    }
    if (step % 10 == 0 || set.size() < 3) check(set, wanted);
  }
}

void link_lists() {
  std::list<int> a = {3, 1, 2}, b = {9}, empty;
  a.sort();
  a.reverse();
  a.splice(a.begin(), b);
  assert((a == std::list<int>{9, 3, 2, 1}) && b.empty());
  a.swap(b);
  assert(a.empty() && b.size() == 4);
  b.remove(3);
  b.swap(empty);
  assert((empty == std::list<int>{9, 2, 1}) && b.empty());
}

int main() {
  grow_and_shrink();
  std::thread thread(link_lists);
  thread.join();
}

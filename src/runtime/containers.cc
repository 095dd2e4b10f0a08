// What libstdc++ keeps out of its headers for std::map, std::set and std::list: the pass redirects calls of it here, so
// that nodes are read and written by accesses. The tree: red and black, as in Cormen et al., "Introduction to
// Algorithms", chapter 13, with libstdc++'s header node, whose parent is the root and whose left and right are the
// first and the last node.
#include "runtime/call.h"

namespace plait::runtime {
namespace {

using Node = u64;  // its address

enum : u64 { kParent = 8, kLeft = 16, kRight = 24 };
enum Colour : u32 { kRed = 0, kBlack = 1 };

constexpr u64 opposite(u64 side) { return side == kLeft ? kRight : kLeft; }

struct Tree : Call {
  Node get(Node node, u64 field) const { return load<u64>(node + field, Order::Plain, site); }
  void set(Node node, u64 field, Node value) const { store<u64>(node + field, value, Order::Plain, site); }
  u32 colour(Node node) const { return load<u32>(node, Order::Plain, site); }
  void set_colour(Node node, u32 value) const { store<u32>(node, value, Order::Plain, site); }
  bool is_black(Node node) const { return !node || colour(node) == kBlack; }

  /// The last node on this side below `node`.
  Node far(Node node, u64 side) const {
    while (const Node next = get(node, side)) node = next;
    return node;
  }

  Node next(Node node) const {
    if (const Node right = get(node, kRight)) return far(right, kLeft);
    Node above = get(node, kParent);
    while (node == get(above, kRight)) {
      node = above;
      above = get(above, kParent);
    }
    // From the last node of a tree whose root has no right child the climb ends at the header itself.
    return get(node, kRight) != above ? above : node;
  }

  Node previous(Node node) const {
    if (colour(node) == kRed && get(get(node, kParent), kParent) == node) return get(node, kRight);  // the header
    if (const Node left = get(node, kLeft)) return far(left, kRight);
    Node above = get(node, kParent);
    while (node == get(above, kLeft)) {
      node = above;
      above = get(above, kParent);
    }
    return above;
  }

  /// `to` takes the place of `from` below the parent of `from`.
  void replace_child(Node from, Node to, Node header) const {
    const Node above = get(from, kParent);
    if (get(header, kParent) == from)
      set(header, kParent, to);
    else
      set(above, get(above, kLeft) == from ? kLeft : kRight, to);
  }

  /// `node` goes down on this side, its other child takes its place.
  void rotate(Node node, u64 side, Node header) const {
    const u64 other = opposite(side);
    const Node up = get(node, other);
    const Node middle = get(up, side);
    set(node, other, middle);
    if (middle) set(middle, kParent, node);
    set(up, kParent, get(node, kParent));
    replace_child(node, up, header);
    set(up, side, node);
    set(node, kParent, up);
  }

  void insert(bool left, Node node, Node above, Node header) const {
    set(node, kParent, above);
    set(node, kLeft, 0);
    set(node, kRight, 0);
    set_colour(node, kRed);
    if (left) {
      set(above, kLeft, node);  // the first node, too, if `above` is the header
      if (above == header) {
        set(header, kParent, node);
        set(header, kRight, node);
      } else if (above == get(header, kLeft)) {
        set(header, kLeft, node);
      }
    } else {
      set(above, kRight, node);
      if (above == get(header, kRight)) set(header, kRight, node);
    }
    while (node != get(header, kParent) && colour(get(node, kParent)) == kRed) {
      Node parent = get(node, kParent);
      const Node grandparent = get(parent, kParent);
      const u64 side = parent == get(grandparent, kLeft) ? kLeft : kRight;
      const Node uncle = get(grandparent, opposite(side));
      if (!is_black(uncle)) {
        set_colour(parent, kBlack);
        set_colour(uncle, kBlack);
        set_colour(grandparent, kRed);
        node = grandparent;
        continue;
      }
      if (node == get(parent, opposite(side))) {
        node = parent;
        rotate(node, side, header);
        parent = get(node, kParent);
      }
      set_colour(parent, kBlack);
      set_colour(grandparent, kRed);
      rotate(grandparent, opposite(side), header);
    }
    set_colour(get(header, kParent), kBlack);
  }

  /// Takes `node` out; returns it.
  Node erase(Node node, Node header) const {
    Node moved = 0;  // takes the place of what is taken out
    Node above = 0;  // the parent of `moved`, which may be none
    u32 lost = 0;    // the colour that is missing there
    const Node left = get(node, kLeft), right = get(node, kRight);
    if (left && right) {
      const Node heir = far(right, kLeft);
      moved = get(heir, kRight);
      lost = colour(heir);
      set(left, kParent, heir);
      set(heir, kLeft, left);
      if (heir != right) {
        above = get(heir, kParent);
        if (moved) set(moved, kParent, above);
        set(above, kLeft, moved);
        set(heir, kRight, right);
        set(right, kParent, heir);
      } else {
        above = heir;
      }
      replace_child(node, heir, header);
      set(heir, kParent, get(node, kParent));
      set_colour(heir, colour(node));
      set_colour(node, lost);
    } else {
      moved = left ? left : right;
      lost = colour(node);
      above = get(node, kParent);
      if (moved) set(moved, kParent, above);
      replace_child(node, moved, header);
      if (get(header, kLeft) == node) set(header, kLeft, moved ? far(moved, kLeft) : above);
      if (get(header, kRight) == node) set(header, kRight, moved ? far(moved, kRight) : above);
    }
    if (lost == kBlack) restore_blackness(moved, above, header);
    return node;
  }

  /// Paths through `node`, which may be none, below `above` have one black node too few.
  void restore_blackness(Node node, Node above, Node header) const {
    while (node != get(header, kParent) && is_black(node)) {
      const u64 side = node == get(above, kLeft) ? kLeft : kRight, other = opposite(side);
      Node sibling = get(above, other);
      if (colour(sibling) == kRed) {
        set_colour(sibling, kBlack);
        set_colour(above, kRed);
        rotate(above, side, header);
        sibling = get(above, other);
      }
      if (is_black(get(sibling, side)) && is_black(get(sibling, other))) {
        set_colour(sibling, kRed);
        node = above;
        above = get(above, kParent);
        continue;
      }
      if (is_black(get(sibling, other))) {
        set_colour(get(sibling, side), kBlack);
        set_colour(sibling, kRed);
        rotate(sibling, other, header);
        sibling = get(above, other);
      }
      set_colour(sibling, colour(above));
      set_colour(above, kBlack);
      if (const Node outer = get(sibling, other)) set_colour(outer, kBlack);
      rotate(above, side, header);
      break;
    }
    if (node) set_colour(node, kBlack);
  }
};

/// Nodes of std::list: next at 0, previous at 8; the list itself is one of the ring.
struct List : Call {
  enum : u64 { kNext = 0, kPrevious = 8 };
  Node get(Node node, u64 field) const { return load<u64>(node + field, Order::Plain, site); }
  void set(Node node, u64 field, Node value) const { store<u64>(node + field, value, Order::Plain, site); }

  void hook(Node node, Node before) const {
    set(node, kNext, before);
    const Node previous = get(before, kPrevious);
    set(node, kPrevious, previous);
    set(previous, kNext, node);
    set(before, kPrevious, node);
  }
  void unhook(Node node) const {
    const Node next = get(node, kNext), previous = get(node, kPrevious);
    set(previous, kNext, next);
    set(next, kPrevious, previous);
  }
  /// [first, last) goes in front of `position`.
  void transfer(Node position, Node first, Node last) const {
    if (position == last) return;
    const Node end = get(last, kPrevious), before = get(first, kPrevious), previous = get(position, kPrevious);
    set(end, kNext, position);
    set(before, kNext, last);
    set(previous, kNext, first);
    set(position, kPrevious, end);
    set(last, kPrevious, before);
    set(first, kPrevious, previous);
  }
  void reverse(Node list) const {
    Node node = list;
    do {
      const Node next = get(node, kNext);
      set(node, kNext, get(node, kPrevious));
      set(node, kPrevious, next);
      node = next;
    } while (node != list);
  }
  /// `list` takes over the nodes of `other`, whose neighbours these were.
  void adopt(Node list, Node other, Node next, Node previous) const {
    const bool empty = next == other;
    set(list, kNext, empty ? list : next);
    set(list, kPrevious, empty ? list : previous);
    if (empty) return;
    set(next, kPrevious, list);
    set(previous, kNext, list);
  }
  void swap(Node a, Node b) const {
    const Node a_next = get(a, kNext), a_previous = get(a, kPrevious), b_next = get(b, kNext),
               b_previous = get(b, kPrevious);
    adopt(a, b, b_next, b_previous);
    adopt(b, a, a_next, a_previous);
  }
};

}  // namespace
}  // namespace plait::runtime

using namespace plait::runtime;
using plait::u64;

/// std::pair<bool, size_t>, in registers.
struct Rehash {
  bool needed;
  u64 buckets;
};

extern "C" {
Rehash _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(const void*, u64, u64, u64) __attribute__((weak));
u64 _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(const void*, u64) __attribute__((weak));
}

namespace plait::runtime {
namespace {

/// When a hash table grows: its load factor, and the number of elements with which it will.
struct Policy : Call {
  struct Object {
    u32 load_factor, padding;
    u64 next;
  };
  /// Lets the library work on a copy.
  template <class Ask>
  auto on_copy(u64 object, Ask ask) const {
    Object copy = {load<u32>(object, Order::Plain, site), 0, load<u64>(object + 8, Order::Plain, site)};
    const u64 before = copy.next;
    const auto answer = ask(&copy);
    if (copy.next != before) store<u64>(object + 8, copy.next, Order::Plain, site);
    return answer;
  }
};

}  // namespace
}  // namespace plait::runtime

extern "C" {

Rehash __plait__ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(u64 object, u64 buckets, u64 elements,
                                                                         u64 more) {
  return Policy().on_copy(object, [=](const void* copy) {
    return _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(copy, buckets, elements, more);
  });
}
u64 __plait__ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(u64 object, u64 least) {
  return Policy().on_copy(
      object, [=](const void* copy) { return _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(copy, least); });
}

u64 __plait__ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(u64 node) { return Tree().next(node); }
u64 __plait__ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(u64 node) { return Tree().next(node); }
u64 __plait__ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(u64 node) { return Tree().previous(node); }
u64 __plait__ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(u64 node) { return Tree().previous(node); }
void __plait__ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(bool left, u64 node, u64 above,
                                                                               u64 header) {
  Tree().insert(left, node, above, header);
}
u64 __plait__ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(u64 node, u64 header) {
  return Tree().erase(node, header);
}

void __plait__ZNSt8__detail15_List_node_base7_M_hookEPS0_(u64 node, u64 before) { List().hook(node, before); }
void __plait__ZNSt8__detail15_List_node_base9_M_unhookEv(u64 node) { List().unhook(node); }
void __plait__ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(u64 position, u64 first, u64 last) {
  List().transfer(position, first, last);
}
void __plait__ZNSt8__detail15_List_node_base10_M_reverseEv(u64 list) { List().reverse(list); }
void __plait__ZNSt8__detail15_List_node_base4swapERS0_S1_(u64 a, u64 b) { List().swap(a, b); }
}

// Plain accesses of the program. Most are private and take the two-compare path; the others end in access_visible.
#include "runtime/access.h"

#include "runtime/handed.h"
#include "runtime/lifetime.h"
#include "runtime/local_zones.h"
#include "runtime/process.h"
#include "runtime/unwritten.h"
#include "runtime/waiting_loop.h"

namespace plait::runtime {
namespace {

template <class T>
u64 bits_without_value(u64 address, u32 site) {
  if (sizeof(T) > 8 || !has_unwritten(address, sizeof(T))) return 0;
  if (machine::is_forwarded(run.current->buffer, address, sizeof(T))) return 0;
  return unwritten_bits(address, sizeof(T), site);
}

/// The standard streams may be used by all threads at once: what they do there is no race.
bool is_synchronised(u64 address) {
  return !in_zone(address) && (in_standard_library(address) || is_standard_stream(address));
}

}  // namespace

template <class T>
T load_slow(u64 address, Order order, u32 site) {
  const auto* pointer = reinterpret_cast<const volatile T*>(address);
  run.unwritten = 0;
  if (!run.active) return *pointer;
  if (run.watching) watch_read(address, sizeof(T), site);
  if (order == Order::Plain && is_synchronised(address)) order = Order::Relaxed;
  switch (classify_fast(address, sizeof(T), false)) {
    case Visibility::Private: run.unwritten = bits_without_value<T>(address, site); return *pointer;
    case Visibility::OutsideBlock: fail_outside_block(address, sizeof(T), false, site);
    case Visibility::Visible: break;
  }
  Event& event = await_turn({.op = Op::Load, .size = sizeof(T), .order = order, .site = site, .location = address});
  check_alive(address, sizeof(T), false, site);
  if (follows_inputs()) note_shared_memory(address, sizeof(T));
  const T value = run.memory.buffers ? static_cast<T>(buffered_load(*run.current, address, sizeof(T))) : *pointer;
  event.value = static_cast<u64>(value);
  if constexpr (sizeof(T) == 16) extend(event, value, 0, 0);
  run.unwritten = bits_without_value<T>(address, site);
  return value;
}

template <class T>
void store_slow(u64 address, T value, Order order, u32 site) {
  auto* pointer = reinterpret_cast<volatile T*>(address);
  if (!run.active) {
    *pointer = value;
    return;
  }
  if (run.watching) watch_write(address, sizeof(T), site);
  if (order == Order::Plain && is_synchronised(address)) {
    // Every output sets the width to 0, which it was: as long as nobody shares a width that is none, this is no write.
    if (*pointer == value && *code_of(address) != kShared) return;
    order = Order::Relaxed;
  }
  switch (classify_fast(address, sizeof(T), true)) {
    case Visibility::Private:
      fence_unseen(order, site);
      *pointer = value;
      mark_written(address, sizeof(T));
      return;
    case Visibility::OutsideBlock: fail_outside_block(address, sizeof(T), true, site);
    case Visibility::Visible: break;
  }
  if (run.memory.buffers) order = strengthened(order, site);
  // Nobody could tell whether it waits, and runs that do not follow inputs do not know of it.
  if (run.memory.buffers && !run.forked) order = Order::SeqCst;
  const bool waits = run.memory.is_buffered(Op::Store, order);
  if (waits && !run.unshared && !is_dead(address, sizeof(T))) {
    Event& event = buffer_store({.address = address, .value = value, .site = site, .size = sizeof(T), .order = order});
    if constexpr (sizeof(T) == 16) extend(event, global_load(address, 16), value, 0);
    return;
  }
  Event& event = await_turn({.op = Op::Store,
                             .size = sizeof(T),
                             .order = order,
                             .site = site,
                             .location = address,
                             .operand = static_cast<u64>(value)});
  if (waits && !is_dead(address, sizeof(T))) event.flags |= event_flag::kAtOnce;
  check_alive(address, sizeof(T), true, site);
  if (follows_inputs()) note_shared_memory(address, sizeof(T));
  const T old = read_memory<T>(address);
  event.value = static_cast<u64>(old);
  if constexpr (sizeof(T) == 16) extend(event, old, value, 0);
  write_memory<T>(address, value);
  // It did not wait only because nobody knew that its bytes are shared: fences behind it count as they will from now
  // on.
  if (waits) run.current->buffer.pending.store();
}

#define PLAIT_INSTANTIATE(T)                \
  template T load_slow<T>(u64, Order, u32); \
  template void store_slow<T>(u64, T, Order, u32);
PLAIT_INSTANTIATE(u8)
PLAIT_INSTANTIATE(u16)
PLAIT_INSTANTIATE(u32)
PLAIT_INSTANTIATE(u64)
PLAIT_INSTANTIATE(u128)
#undef PLAIT_INSTANTIATE

namespace {

/// Eight codes of 1, 2, 4 or 8 bytes, the same ones again and again; without marks.
u64 codes_of(u64 address, u64 size) {
  u8* active = active_of(address);
  const auto spread = [size](u8* map) -> u64 {
    switch (size) {
      case 1: return broadcast(*map);
      case 2: return *reinterpret_cast<const u16*>(map) * 0x0001000100010001ull;
      case 4: return *reinterpret_cast<const u32*>(map) * 0x0000000100000001ull;
      default: return codes_at(map);
    }
  };
  const u64 codes = spread(active), marks = unwritten_in(codes);
  return marks ? (codes & ~marks) | (spread(hidden_of(address)) & marks) : codes;
}

}  // namespace

Visibility classify_fast(u64 address, u64 size, bool write) {
  if (size <= 8) {
    const u64 codes = codes_of(address, size);
    if (codes == broadcast(kShared)) {
      run.unshared = false;
      return run.init_phase ? Visibility::Private : Visibility::Visible;
    }
    if (codes == run.current->own) return Visibility::Private;
    if (!write && !run.everything && !run.watching &&
        (codes == run.current->own_read || codes == broadcast(kReadByMany)))
      return Visibility::Private;
  }
  return classify(address, size, write);
}

bool is_dead(u64 address, u64 size) {
  if (!in_zone(address)) return false;
  const bool heap = in_heap(address), own = slice_of(address) == run.current->id;
  for (u64 i = 0; i < size; ++i) {
    const u8 code = *active_of(address + i);
    if ((heap && code == kUntouched) || (code == kDead && !own)) return true;
  }
  return false;
}

void check_alive(u64 address, u64 size, bool write, u32 site, FailureNote::Cause cause) {
  if (!in_zone(address)) return;
  if (size && size <= 8 && codes_of(address, size) == broadcast(kShared)) return;
  const bool heap = in_heap(address);
  for (u64 i = 0; i < (size ? size : 1); ++i) {
    const u8 code = *code_of(address + i);
    if (heap && code == kUntouched) fail_outside_block(address, size, write, site, cause);
    if (code == kDead && slice_of(address) != run.current->id) fail_after_scope(address, size, write, site, cause);
    if (is_red(code) && is_zone_alive(address + i)) fail_in_local_zone(address + i, address, size, write, site, cause);
  }
}

void extend(Event& event, u128 value, u128 operand, u128 extra) {
  event.flags |= event_flag::kWide;
  if (&event < run.events || &event >= run.events + run.event_count) return;  // an event that is not reported
  Event& high = run.events[run.event_count++];
  high = Event{};
  high.op = Op::Extension;
  high.thread = event.thread;
  high.position = event.position;
  high.site = kNoSite;
  high.value = static_cast<u64>(value >> 64);
  high.operand = static_cast<u64>(operand >> 64);
  high.extra = static_cast<u64>(extra >> 64);
}

namespace {

/// Calls f(offset, bytes) for consecutive pieces of at most 8 bytes; the split does not depend on what is shared, so
/// that positions do not either.
template <class F>
void in_pieces(u64 size, bool backwards, F f) {
  const u64 pieces = (size + 7) / 8;
  for (u64 i = 0; i < pieces; ++i) {
    const u64 offset = 8 * (backwards ? pieces - 1 - i : i);
    f(offset, size - offset < 8 ? size - offset : 8);
  }
}

/// Sets run.unwritten, too. With a label for each byte, if somebody asks.
u64 load_piece(u64 address, u64 size, u32 site, u64* labels = nullptr) {
  run.unwritten = 0;  // the short path leaves it alone
  switch (size) {
    case 1: return load_followed<u8>(address, Order::Plain, site);
    case 2: return load_followed<u16>(address, Order::Plain, site);
    case 4: return load_followed<u32>(address, Order::Plain, site);
    case 8: return load_followed<u64>(address, Order::Plain, site);
    default: {
      u64 value = 0, unwritten = 0;
      for (u64 i = 0; i < size; ++i) {
        run.unwritten = 0;
        const u8 byte = load_followed<u8>(address + i, Order::Plain, site);
        if (labels) labels[i] = memory_label(address + i, 1, byte);
        value |= static_cast<u64>(byte) << (8 * i);
        unwritten |= run.unwritten << (8 * i);
      }
      run.unwritten = unwritten;
      return value;
    }
  }
}

bool is_whole(u64 size) { return size == 1 || size == 2 || size == 4 || size == 8; }

/// `labels`: of a whole piece one, of others one for each byte.
void store_piece(u64 address, u64 size, u64 value, u32 site, const u64* labels = nullptr) {
  const u64 label = labels ? labels[0] : 0;
  switch (size) {
    case 1: store<u8>(address, static_cast<u8>(value), Order::Plain, site, label); break;
    case 2: store<u16>(address, static_cast<u16>(value), Order::Plain, site, label); break;
    case 4: store<u32>(address, static_cast<u32>(value), Order::Plain, site, label); break;
    case 8: store<u64>(address, value, Order::Plain, site, label); break;
    default:
      for (u64 i = 0; i < size; ++i)
        store<u8>(address + i, static_cast<u8>(value >> (8 * i)), Order::Plain, site, labels ? labels[i] : 0);
  }
}

/// What a piece holds, and its labels.
struct Piece {
  u64 value;
  u64 labels[8] = {};
};

Piece load_labelled(u64 address, u64 size, u32 site) {
  Piece piece;
  piece.value = load_piece(address, size, site, follows_inputs() ? piece.labels : nullptr);
  if (follows_inputs() && is_whole(size)) piece.labels[0] = memory_label(address, size, piece.value);
  return piece;
}

/// How many operations the pieces are (a piece of 3, 5, 6 or 7 bytes goes byte by byte).
u64 operations(u64 size) {
  const u64 rest = size % 8;
  return size / 8 + (rest == 3 || rest >= 5 ? rest : rest != 0);
}

bool is_private(u64 address, u64 size, bool write, u32 site) {
  if (run.watching && !write) watch_read(address, size, site);
  const Visibility visibility = classify_range(address, size, write);
  if (visibility == Visibility::OutsideBlock) fail_outside_block(address, size, write, site);
  return visibility == Visibility::Private;
}

}  // namespace

void copy(u64 to, u64 from, u64 size, u32 site) {
  if (size == 0) return;
  if (!run.active) {
    __builtin_memmove(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), size);
    return;
  }
  const bool from_private = is_private(from, size, false, site);
  const bool to_private = is_private(to, size, true, site);
  if (from_private && to_private) {
    run.current->position += static_cast<u32>(2 * operations(size));
    __builtin_memmove(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), size);
    if (follows_inputs()) move_labels(to, from, size);
    if (has_unwritten(from, size))
      copy_marks(to, from, size);
    else
      mark_written(to, size);
    return;
  }
  in_pieces(size, to > from, [&](u64 offset, u64 bytes) {
    const Piece piece = load_labelled(from + offset, bytes, site);
    const u64 unwritten = run.unwritten;
    store_piece(to + offset, bytes, piece.value, site, piece.labels);
    if (unwritten) __plait_store_unwritten(reinterpret_cast<void*>(to + offset), unwritten, bytes);
  });
}

void fill(u64 to, u8 byte, u64 size, u32 site) {
  if (size == 0) return;
  if (!run.active || is_private(to, size, true, site)) {
    run.current->position += static_cast<u32>(operations(size));
    __builtin_memset(reinterpret_cast<void*>(to), byte, size);
    if (follows_inputs()) clear_labels(to, size);
    mark_written(to, size);
    return;
  }
  in_pieces(size, false, [&](u64 offset, u64 bytes) { store_piece(to + offset, bytes, broadcast(byte), site); });
}

void load_range(char* to, u64 from, u64 size, u32 site, bool follow) {
  const u64 target = reinterpret_cast<u64>(to);
  if (!run.active || is_private(from, size, false, site)) {
    run.current->position += static_cast<u32>(operations(size));
    __builtin_memmove(to, reinterpret_cast<void*>(from), size);
    if (has_labels() && follow) move_labels(target, from, size);
    if (has_labels() && !follow) fix_memory(from, size, site);
    return;
  }
  in_pieces(size, false, [&](u64 offset, u64 bytes) {
    const Piece piece = load_labelled(from + offset, bytes, site);
    __builtin_memcpy(to + offset, &piece.value, bytes);
    if (!follows_inputs()) return;
    const u64 parts = is_whole(bytes) ? 1 : bytes;
    for (u64 i = 0; i < parts; ++i)
      if (follow)
        flush_label(target + offset + i, bytes / parts, piece.labels[i]);
      else
        decide(piece.labels[i], decided::kFixed, site);
  });
}

namespace {

/// Of a text: where it ends is decided by it.
u8 load_letter(const char* letter, u32 site) {
  const u64 address = reinterpret_cast<u64>(letter);
  run.unwritten = 0;
  const u8 value = load<u8>(address, Order::Plain, site);
  if (run.unwritten) need_value(address, 1, site, ValueUse::Argument);
  return value;
}

}  // namespace

u64 text_length(const char* text, u32 site) {
  u64 length = 0;
  while (load_letter(text + length, site)) ++length;
  return length;
}

u64 read_text(const char* text, char* to, u64 capacity, u32 site) {
  for (u64 length = 0; length < capacity; ++length)
    if (!(to[length] = static_cast<char>(load_letter(text + length, site)))) return length;
  to[capacity - 1] = 0;
  return capacity;
}

void store_range(u64 to, const char* from, u64 size, u32 site, bool follow) {
  const u64 source = reinterpret_cast<u64>(from);
  if (!run.active || is_private(to, size, true, site)) {
    run.current->position += static_cast<u32>(operations(size));
    __builtin_memmove(reinterpret_cast<void*>(to), from, size);
    mark_written(to, size);
    if (has_labels() && follow) move_labels(to, source, size);
    if (has_labels() && !follow) clear_labels(to, size);
    return;
  }
  in_pieces(size, false, [&](u64 offset, u64 bytes) {
    Piece piece = {};
    __builtin_memcpy(&piece.value, from + offset, bytes);
    const u64 parts = is_whole(bytes) ? 1 : bytes;
    if (has_labels() && follow)
      for (u64 i = 0; i < parts; ++i)
        piece.labels[i] =
            private_label(source + offset + i, bytes / parts, parts == 1 ? piece.value : piece.value >> (8 * i) & 0xff);
    store_piece(to + offset, bytes, piece.value, site, piece.labels);
  });
}

}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

// What only one thread uses is accessed right here. The rest goes through a stub (entry.S) to the function below; a
// tail call, so that the caller's registers and stack are still as they were. Who does not ask for the bits without a
// value calls a load, which is the same function under another name.
#define PLAIT_ACCESS(N, T)                                                                      \
  Found<T> __plait_enter_load##N(const void* p, const Site* site);                              \
  void __plait_enter_store##N(void* p, T value, const Site* site);                              \
  Found<T> __plait_read##N(const void* p, const Site* site) {                                   \
    ++run.current->position;                                                                    \
    if (__builtin_expect(is_own<T>(reinterpret_cast<u64>(p)), true))                            \
      return {*reinterpret_cast<const volatile T*>(p), 0};                                      \
    [[clang::musttail]] return __plait_enter_load##N(p, site);                                  \
  }                                                                                             \
  Found<T> __plait_load##N(const void*, const Site*) __attribute__((alias("__plait_read" #N))); \
  void __plait_store##N(void* p, T value, const Site* site) {                                   \
    ++run.current->position;                                                                    \
    if (__builtin_expect(is_own<T>(reinterpret_cast<u64>(p)), true)) {                          \
      *reinterpret_cast<volatile T*>(p) = value;                                                \
      return;                                                                                   \
    }                                                                                           \
    if (take_own<T>(reinterpret_cast<u64>(p))) {                                                \
      *reinterpret_cast<volatile T*>(p) = value;                                                \
      return;                                                                                   \
    }                                                                                           \
    [[clang::musttail]] return __plait_enter_store##N(p, value, site);                          \
  }                                                                                             \
  Found<T> __plait_slow_load##N(const void* p, const Site* site) {                              \
    const T value = load_slow<T>(reinterpret_cast<u64>(p), Order::Plain, site_offset(site));    \
    return {value, run.unwritten};                                                              \
  }                                                                                             \
  void __plait_slow_store##N(void* p, T value, const Site* site) {                              \
    store_slow<T>(reinterpret_cast<u64>(p), value, Order::Plain, site_offset(site));            \
  }
PLAIT_ACCESS(1, u8)
PLAIT_ACCESS(2, u16)
PLAIT_ACCESS(4, u32)
PLAIT_ACCESS(8, u64)
#undef PLAIT_ACCESS

void __plait_load_range(void* to, const void* from, uint64_t size, const Site* site) {
  load_range(static_cast<char*>(to), reinterpret_cast<u64>(from), size, site_offset(site), true);
}
void __plait_store_range(void* to, const void* from, uint64_t size, const Site* site) {
  store_range(reinterpret_cast<u64>(to), static_cast<const char*>(from), size, site_offset(site), true);
}
void __plait_copy(void* to, const void* from, uint64_t size, const Site* site) {
  copy(reinterpret_cast<u64>(to), reinterpret_cast<u64>(from), size, site_offset(site));
}
void __plait_fill(void* to, int byte, uint64_t size, const Site* site) {
  fill(reinterpret_cast<u64>(to), static_cast<u8>(byte), size, site_offset(site));
}
}

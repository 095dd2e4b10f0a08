// qsort: a copy is sorted, then stored. As glibc does it (a merge sort, so equal elements keep their order), and the
// comparison sees elements of the copy.
#include <stdlib.h>
#include <string.h>

#include "runtime/call.h"
#include "runtime/failure.h"
#include "runtime/heap.h"

namespace plait::runtime {
namespace {

constexpr size_t kOnStack = 4096;

/// Elements take along which of their bytes have no value.
void move(char* to, const char* from, size_t size) {
  memmove(to, from, size);
  if (has_unwritten(at(from), size))
    copy_marks(at(to), at(from), size);
  else
    mark_written(at(to), size);
}

template <class Compare>
void merge_sort(char* elements, char* spare, size_t count, size_t size, Compare& compare) {
  if (count < 2) return;
  const size_t half = count / 2;
  char* second = elements + half * size;
  merge_sort(elements, spare, half, size, compare);
  merge_sort(second, spare, count - half, size, compare);
  move(spare, elements, half * size);
  size_t left = 0, right = 0, out = 0;
  while (left < half && right < count - half) {
    const bool take_left = compare(spare + left * size, second + right * size) <= 0;
    move(elements + out++ * size, take_left ? spare + left++ * size : second + right++ * size, size);
  }
  move(elements + out * size, spare + left * size, (half - left) * size);
}

template <class Compare>
void sort(void* array, size_t count, size_t size, Compare compare) {
  const Call call;
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > kArenaSize / 4) unsupported("qsort of more than a GiB");
  if (bytes == 0) return;
  alignas(16) char small[kOnStack];
  char* room = small;
  if (2 * bytes > kOnStack) {
    begin_operation();
    room = static_cast<char*>(allocate(2 * bytes, 16, call.site, false));
    if (!room) fail({.kind = FailureKind::OutOfResources}, "no room for qsort");
  }
  load_range(room, at(array), bytes, call.site);
  if (run.active && has_unwritten(at(array), bytes)) copy_marks(at(room), at(array), bytes);
  merge_sort(room, room + bytes, count, size, compare);
  store_range(at(array), room, bytes, call.site);
  if (has_unwritten(at(room), bytes) && !run.current->buffer.count) copy_marks(at(array), at(room), bytes);
  mark_written(at(room), 2 * bytes);
  if (room != small) release_quietly(room);
}

}  // namespace
}  // namespace plait::runtime

using namespace plait::runtime;

extern "C" {

void __plait_qsort(void* array, size_t count, size_t size, int (*compare)(const void*, const void*)) {
  sort(array, count, size, compare);
}
void __plait_qsort_r(void* array, size_t count, size_t size, int (*compare)(const void*, const void*, void*),
                     void* context) {
  sort(array, count, size, [=](const void* a, const void* b) { return compare(a, b, context); });
}
}

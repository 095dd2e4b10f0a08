// Memory of the program that a library's code, which is not instrumented, is about to read and write (`std::getline(in,
// text)`, `out << 1`, strftime). Nobody sees what it does there, so:
//
// - memory that other threads use, too: the call is a visible operation that conflicts with all accesses to these
// bytes, and the run is marked as
//   one that cannot be predicted from others. Explorers that predict run every order of what conflicts instead; the
//   library may touch anything.
// - this thread's own stack and heap: part of its fingerprint, whoever writes there.
// - other memory that only this thread uses: what the object refers to may lie anywhere, so the thread is opaque from
// here on.
#include "runtime/handed.h"

#include "runtime/fingerprint.h"
#include "runtime/process.h"
#include "runtime/scheduler.h"
#include "trace/unseen.h"

extern "C" {
// The standard streams write through functions that the runtime stands in for, and hold nothing back.
extern char _ZSt3cin[] __attribute__((weak));
extern char _ZSt4cout[] __attribute__((weak));
extern char _ZSt4cerr[] __attribute__((weak));
extern char _ZSt4clog[] __attribute__((weak));
}

namespace plait::runtime {
namespace {

constexpr u64 kMostBytes = 4096;  // of a block
constexpr u64 kStackBytes = 8;    // how large an object on a stack is, nobody knows
constexpr u64 kStreamBytes = 280;
constexpr u32 kMaxHanded = 512;
Range handed[kMaxHanded];  // in this run
u32 handed_count = 0;
bool too_many = false;

u64 extent(u64 address) {
  if (in_heap(address)) {
    u64 size = 0;
    while (size < kMostBytes && *active_of(address + size) != kUntouched) ++size;
    return size;
  }
  if (in_zone(address)) {
    u64 size = 1;
    while (size < kStackBytes && !is_red(*active_of(address + size))) ++size;
    return size;
  }
  for (u32 i = 0; i < module_count; ++i)
    for (const GlobalVariable* global = modules[i].globals; global < modules[i].globals_end; ++global) {
      const u64 offset = address - reinterpret_cast<u64>(global->address);
      if (offset < global->size) return global->size - offset < kMostBytes ? global->size - offset : kMostBytes;
    }
  return 1;
}

void remember(u64 begin, u64 size) {
  for (u32 i = 0; i < handed_count; ++i)
    if (handed[i].begin == begin && handed[i].end == begin + size) return;
  if (handed_count == kMaxHanded) {
    too_many = true;
    return;
  }
  handed[handed_count++] = {begin, begin + size};
}

}  // namespace

bool is_standard_stream(u64 address) {
  const char* const streams[] = {_ZSt3cin, _ZSt4cout, _ZSt4cerr, _ZSt4clog};
  for (const char* stream : streams)
    if (stream && address - reinterpret_cast<u64>(stream) < kStreamBytes) return true;
  return false;
}

bool has_shared_handed() {
  if (too_many) return true;
  for (u32 i = 0; i < handed_count; ++i)
    for (u64 a = handed[i].begin; a < handed[i].end; ++a)
      if (*class_of(a) == kShared) return true;
  return false;
}

void reset_handed() {
  handed_count = 0;
  too_many = false;
}

}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" void __plait_handed(void* memory, int how, const Site* call_site) {
  begin_operation();
  const u64 address = reinterpret_cast<u64>(memory);
  if (!run.active || run.init_phase || (!in_image(address) && !in_zone(address)) || is_standard_stream(address)) return;
  // What is destroyed tells nobody anything; with nobody else there, nobody can miss it.
  if ((how & handed_flag::kLast) && run.live == bit(run.current->id)) return;
  const u32 site = site_offset(call_site);
  const u64 size = extent(address);
  if (size == 0) return;  // a block that is freed: the library's access is not ours to judge
  await_drained(site);
  const Visibility visibility = classify_range(address, size, true);
  remember(address, size);
  if (visibility == Visibility::Visible && !run.unshared) {
    run.handed_shared = true;
    await_turn({.op = Op::Input,
                .detail = static_cast<u8>(how & handed_flag::kReads ? kOnlyReads : 0),
                .site = site,
                .location = address,
                .operand = size,
                .span = static_cast<u32>(size)});
    note_unseen();
    return;
  }
  run.unshared = false;
  if (!in_zone(address) || slice_of(address) != run.current->id)
    note_opaque(site, "a library changes its memory unseen");
}

#include "runtime/frames.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#define XXH_NO_STREAM
#include <xxhash.h>

#include "runtime/process.h"
#include "trace/frames.h"

namespace plait::runtime {
namespace {

using frames::kKept;
using frames::Site;

constexpr u32 kMostFrames = 64;
constexpr u32 kCached = 1024;  // a power of two
constexpr u32 kMostRanges = sizeof(DeadWords::range) / sizeof(Range);

struct {
  const Site* sites;
  const frames::Range* ranges;
  u32 count;
} table;

struct {
  u32 address, site;
} cache[kCached];  // by return address; address 0: none

/// The section in the file that is mapped there; null: there is none.
const u8* find_section(const u8* file, u64 size, const char* wanted, u64& length) {
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(file);
  if (size < sizeof *header || header->e_shoff > size ||
      header->e_shnum > (size - header->e_shoff) / sizeof(Elf64_Shdr))
    return nullptr;
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(file + header->e_shoff);
  if (header->e_shstrndx >= header->e_shnum) return nullptr;
  const Elf64_Shdr& names = sections[header->e_shstrndx];
  if (names.sh_offset > size || names.sh_size > size - names.sh_offset) return nullptr;
  const u64 name_size = strlen(wanted) + 1;
  for (u32 i = 0; i < header->e_shnum; ++i) {
    const Elf64_Shdr& section = sections[i];
    if (section.sh_name > names.sh_size || names.sh_size - section.sh_name < name_size ||
        __builtin_memcmp(file + names.sh_offset + section.sh_name, wanted, name_size) != 0)
      continue;
    if (section.sh_type == SHT_NOBITS || section.sh_offset > size || section.sh_size > size - section.sh_offset)
      return nullptr;
    length = section.sh_size;
    return file + section.sh_offset;
  }
  return nullptr;
}

/// Made from the code that runs, and whole?
bool is_ours(const frames::Header& header, u64 length) {
  if (header.magic != frames::kMagic ||
      length < sizeof header + u64{header.sites} * sizeof(Site) + u64{header.ranges} * sizeof(frames::Range))
    return false;
  const u64 begin = process.load_bias + header.code;
  if (begin < process.code_begin || begin > process.code_end || header.code_size > process.code_end - begin)
    return false;
  return XXH3_64bits(reinterpret_cast<const void*>(begin), header.code_size) == header.code_hash;
}

const Site* find_site(u64 return_address) {
  const u64 in_file = return_address - process.load_bias;
  if (in_file >> 32) return nullptr;
  const u32 address = static_cast<u32>(in_file);
  auto& cached = cache[(address ^ address >> 10) % kCached];
  if (cached.address == address && address) return table.sites + cached.site;
  for (u32 low = 0, high = table.count; low < high;) {
    const u32 middle = (low + high) / 2;
    if (table.sites[middle].address == address) {
      cached = {address, middle};
      return table.sites + middle;
    }
    if (table.sites[middle].address < address)
      low = middle + 1;
    else
      high = middle;
  }
  return nullptr;
}

/// Keeps them sorted. False: there are too many.
bool add(DeadWords& dead, u64 begin, u64 end) {
  if (dead.count == kMostRanges) return false;
  u32 at = dead.count++;
  for (; at > 0 && dead.range[at - 1].begin > begin; --at) dead.range[at] = dead.range[at - 1];
  dead.range[at] = {begin, end};
  return true;
}

}  // namespace

void attach_frames() {
  const int fd = PLAIT_REAL(open)("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  struct stat status;
  const u64 size = fstat(fd, &status) == 0 ? static_cast<u64>(status.st_size) : 0;
  void* mapped = size ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  PLAIT_REAL(close)(fd);
  if (mapped == MAP_FAILED) return;
  u64 length = 0;
  const u8* section = find_section(static_cast<const u8*>(mapped), size, frames::kSection, length);
  frames::Header header{};
  if (section && length >= sizeof header) __builtin_memcpy(&header, section, sizeof header);
  if (!section || !is_ours(header, length)) {
    munmap(mapped, size);
    return;
  }
  table.sites = reinterpret_cast<const Site*>(section + sizeof header);
  table.ranges = reinterpret_cast<const frames::Range*>(table.sites + header.sites);
  table.count = header.sites;
}

void find_dead(const Entry& entry, u64 stack_end, DeadWords& dead) {
  dead.registers = 0;
  dead.count = 0;
  if (!table.count) return;
  u64 place[kKept];  // where each register's value of the frame that is looked at lies; 0: it is known to be alive
  for (u32 kept = 0; kept < kKept; ++kept) place[kept] = reinterpret_cast<u64>(&entry.kept[kept]);
  u64 returns = entry.stack_pointer;  // where the return address lies
  bool hands_on = false;              // the frame below may read arguments in this one
  for (u32 depth = 0; depth < kMostFrames; ++depth) {
    const Site* site = find_site(*reinterpret_cast<const u64*>(returns));
    if (!site) return;
    const u64 stack = returns + 8;
    u64 end = stack + site->words * u64{8};
    if (site->words == frames::kByFramePointer) {
      if (!place[frames::kRbp]) return;
      end = *reinterpret_cast<const u64*>(place[frames::kRbp]) + 16;
    }
    if (end < stack + 8 || end > stack_end || end % 8) return;
    for (u32 kept = 0; kept < kKept; ++kept) {
      const bool live = site->live >> kept & 1;
      if (!site->saved[kept]) {
        if (live) place[kept] = 0;
        continue;
      }
      if (!live && place[kept]) {
        if (place[kept] == reinterpret_cast<u64>(&entry.kept[kept]))
          dead.registers |= static_cast<u8>(1u << kept);
        else if (!add(dead, place[kept], place[kept] + 8))
          return;
      }
      place[kept] = end - site->saved[kept] * u64{8};
    }
    for (u32 i = 0; i < site->count && !hands_on; ++i) {
      const frames::Range& range = table.ranges[site->first + i];
      const u64 begin = end - range.begin;
      if (end - range.end <= stack) continue;
      if (!add(dead, begin < stack ? stack : begin, end - range.end)) return;
    }
    hands_on = site->flags & frames::kReadsArguments;
    returns = end - 8;
  }
}

}  // namespace plait::runtime

#include "runtime/snapshot.h"

#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/heap.h"
#include "runtime/process.h"
#include "runtime/scheduler.h"

// The runtime's own state: its sections are renamed when the archive is made (CMakeLists.txt).
extern "C" {
extern char __start_plait_rt_data[] __attribute__((weak));
extern char __stop_plait_rt_data[] __attribute__((weak));
extern char __start_plait_rt_bss[] __attribute__((weak));
extern char __stop_plait_rt_bss[] __attribute__((weak));
}

namespace plait::runtime {
namespace {

constexpr u64 kCopyLimit = 64 * 1024;
constexpr unsigned kMaxPieces = 256;

struct Piece {
  u64 begin, size;
  char* copy;  // null: a private mapping of a saved copy
};
Piece pieces[kMaxPieces];
unsigned piece_count = 0;

/// Thread-local variables of the executable or of a library that is compiled with the wrapper.
struct ThreadLocals {
  u64 offset;  // from the FS base down to the block
  u64 size, image_size;
  const char* image;
  char* of_main;  // as main had them when the snapshot was taken
};
ThreadLocals thread_locals[kMaxModules];

char* reserve(u64 size) {
  void* memory = mmap(nullptr, size + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) die("out of memory for the program's initial state");
  return static_cast<char*>(memory);
}

void add_copied(u64 begin, u64 end) {
  if (begin >= end) return;
  if (piece_count == kMaxPieces) die("too many writable segments in the executable");
  char* copy = reserve(end - begin);
  __builtin_memcpy(copy, reinterpret_cast<void*>(begin), end - begin);
  pieces[piece_count++] = {begin, end - begin, copy};
}

/// Whole pages, saved in a file in memory and mapped back privately: the kernel keeps track of what is written.
void add_mapped(u64 begin, u64 end) {
  const int fd = memfd_create("plait-initial", MFD_CLOEXEC);
  if (fd < 0 || ftruncate(fd, static_cast<off_t>(end - begin)) != 0)
    die("out of memory for the program's initial state");
  static const char zeros[kPage] = {};
  for (u64 page = begin; page < end; page += kPage)  // pages of zeros stay holes
    if (__builtin_memcmp(reinterpret_cast<void*>(page), zeros, kPage) != 0 &&
        PLAIT_REAL(pwrite)(fd, reinterpret_cast<void*>(page), kPage, static_cast<off_t>(page - begin)) !=
            static_cast<ssize_t>(kPage))
      die("out of memory for the program's initial state");
  if (mmap(reinterpret_cast<void*>(begin), end - begin, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd, 0) ==
      MAP_FAILED)
    die("cannot map the program's initial state");
  PLAIT_REAL(close)(fd);
  pieces[piece_count++] = {begin, end - begin, nullptr};
}

void add_region(u64 begin, u64 end) {
  if (begin >= end) return;
  const u64 first = (begin + kPage - 1) & ~(kPage - 1), last = end & ~(kPage - 1);
  if (end - begin < kCopyLimit || first >= last) {
    add_copied(begin, end);
    return;
  }
  add_copied(begin, first);
  if (piece_count == kMaxPieces) die("too many writable segments in the executable");
  add_mapped(first, last);
  add_copied(last, end);
}

/// [begin, end) without the runtime's own sections.
void add_program_region(u64 begin, u64 end) {
  Range own[2] = {{reinterpret_cast<u64>(__start_plait_rt_data), reinterpret_cast<u64>(__stop_plait_rt_data)},
                  {reinterpret_cast<u64>(__start_plait_rt_bss), reinterpret_cast<u64>(__stop_plait_rt_bss)}};
  if (own[0].begin > own[1].begin) {
    const Range swap = own[0];
    own[0] = own[1];
    own[1] = swap;
  }
  for (const Range& hole : own) {
    if (hole.begin >= end || hole.end <= begin || hole.begin == hole.end) continue;
    add_region(begin, hole.begin);
    begin = hole.end;
  }
  add_region(begin, end);
}

/// The C library keeps its own state: what of it a program can change is restored one by one. libstdc++ is not among
/// these: its streams, handlers and locales lie in its data, and what it allocates in the program's heap.
bool is_system_library(const char* path) {
  const char* slash = __builtin_strrchr(path, '/');
  const char* name = slash ? slash + 1 : path;
  constexpr const char* kPrefixes[] = {"linux-vdso",    "ld-linux", "libc.so",  "libm.so",     "libgcc_s.so",
                                       "libpthread.so", "libdl.so", "librt.so", "libatomic.so"};
  for (const char* prefix : kPrefixes)
    if (__builtin_strncmp(name, prefix, __builtin_strlen(prefix)) == 0) return true;
  return false;
}

void add_writable_segments(const dl_phdr_info& info) {
  u64 relro_end = 0;
  for (int i = 0; i < info.dlpi_phnum; ++i)
    if (info.dlpi_phdr[i].p_type == PT_GNU_RELRO)
      relro_end = info.dlpi_addr + info.dlpi_phdr[i].p_vaddr + info.dlpi_phdr[i].p_memsz;
  relro_end = (relro_end + kPage - 1) & ~(kPage - 1);
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    if (header.p_type != PT_LOAD || !(header.p_flags & PF_W)) continue;
    u64 begin = info.dlpi_addr + header.p_vaddr;
    const u64 end = begin + header.p_memsz;
    if (relro_end > begin && relro_end <= end + kPage) begin = relro_end;
    add_program_region(begin, end);
  }
}

void find_tls(const dl_phdr_info& info) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    if (header.p_type != PT_TLS) continue;
    if (header.p_memsz == 0 || tls_blocks == kMaxModules) continue;
    thread_locals[tls_blocks++] = {.offset = read_fs_base() - reinterpret_cast<u64>(info.dlpi_tls_data),
                                   .size = header.p_memsz,
                                   .image_size = header.p_filesz,
                                   .image = reinterpret_cast<const char*>(info.dlpi_addr + header.p_vaddr),
                                   .of_main = nullptr};
  }
}

/// The first one is the executable; other libraries of the program keep state as it does.
int add_object(dl_phdr_info* info, size_t, void* raw) {
  auto& first = *static_cast<bool*>(raw);
  if (first || in_library_image(info->dlpi_addr)) find_tls(*info);
  if (first || !is_system_library(info->dlpi_name)) add_writable_segments(*info);
  foreign_libraries |= !first && !in_library_image(info->dlpi_addr) && !is_system_library(info->dlpi_name) &&
                       !__builtin_strstr(info->dlpi_name, "/libstdc++.so");
  first = false;
  return 0;
}

}  // namespace

u32 tls_blocks = 0;
bool foreign_libraries = false;

void take_snapshot() {
  bool first = true;
  dl_iterate_phdr(add_object, &first);
  // The arguments lie on the process's own stack: the array, and behind it the strings one after the other.
  if (process.argc > 0) {
    const char* last = process.argv[process.argc - 1];
    add_copied(reinterpret_cast<u64>(process.argv), reinterpret_cast<u64>(process.argv + process.argc));
    add_copied(reinterpret_cast<u64>(process.argv[0]), reinterpret_cast<u64>(last + __builtin_strlen(last) + 1));
  }
  // Likewise the environment, if it is still the one that the process was started with.
  if (char** last = process.envp; last && *last) {
    while (last[1]) ++last;
    add_copied(reinterpret_cast<u64>(process.envp), reinterpret_cast<u64>(last + 2));
    add_copied(reinterpret_cast<u64>(process.envp[0]), reinterpret_cast<u64>(*last + __builtin_strlen(*last) + 1));
  }
  for (u32 i = 0; i < tls_blocks; ++i) {
    ThreadLocals& block = thread_locals[i];
    block.of_main = reserve(block.size);
    __builtin_memcpy(block.of_main, reinterpret_cast<void*>(read_fs_base() - block.offset), block.size);
  }
  Arena& boot = boot_arena();
  if (boot.next > boot.begin) add_region(boot.begin, boot.next);
  boot.floor = boot.next;
}

void restore_snapshot() {
  for (unsigned i = 0; i < piece_count; ++i) {
    const Piece& piece = pieces[i];
    if (piece.copy)
      __builtin_memcpy(reinterpret_cast<void*>(piece.begin), piece.copy, piece.size);
    else
      madvise(reinterpret_cast<void*>(piece.begin), piece.size, MADV_DONTNEED);
  }
}

void reset_tls(Fiber& fiber) {
  for (u32 i = 0; i < tls_blocks; ++i) {
    const ThreadLocals& own = thread_locals[i];
    char* block = reinterpret_cast<char*>(fiber.fs_base - own.offset);
    if (fiber.id == 0) {
      __builtin_memcpy(block, own.of_main, own.size);
      continue;
    }
    __builtin_memcpy(block, own.image, own.image_size);
    __builtin_memset(block + own.image_size, 0, own.size - own.image_size);
  }
}

Range tls_of(const Fiber& fiber, u32 number) {
  const u64 begin = fiber.fs_base - thread_locals[number].offset;
  return {begin, begin + thread_locals[number].size};
}

}  // namespace plait::runtime

// Tab-separated lines, fields escaped with backslashes:
//   S <offset> <parent offset or -1> <line> <column> <file> <function> <text>
//     (the text of a call by name: kCallText, the name, and behind a blank the shared library that has it)
//   G <hex address> <size> <line> <file> <name>
//   Y site|variable <offset or hex address> <type> <what it is made of, see instrument/type_text.h>
//   T heap|stack <thread> <hex begin> <hex end>
//   E <number of lines before>
#include "runtime/describe.h"

#include <dlfcn.h>
#include <stdio.h>

#include "runtime/ghost.h"
#include "runtime/process.h"
#include "runtime/scheduler.h"

extern "C" {
extern const char __start_plait_rt_text[];
extern const char __stop_plait_rt_text[];
extern const plait::ObjectType __start_plait_types[] __attribute__((weak, visibility("hidden")));
extern const plait::ObjectType __stop_plait_types[] __attribute__((weak, visibility("hidden")));
}

namespace plait::runtime {
namespace {

void put_field(FILE* file, const char* text) {
  auto* put = PLAIT_REAL(fputc);
  put('\t', file);
  for (; text && *text; ++text) {
    const char* special = *text == '\t' ? "\\t" : *text == '\n' ? "\\n" : *text == '\\' ? "\\\\" : nullptr;
    if (!special) {
      put(*text, file);
      continue;
    }
    put(special[0], file);
    put(special[1], file);
  }
}

/// The shared library that a function called by name comes from: where the dynamic linker finds it first.
void put_library(FILE* file, const char* function) {
  Dl_info found;
  const void* address = dlsym(RTLD_DEFAULT, function);
  if (!address || !dladdr(address, &found) || !found.dli_fname) return;
  if (address >= __start_plait_rt_text && address < __stop_plait_rt_text) {  // ours, in place of libc's
    PLAIT_REAL(fputs)(" libc.so", file);
    return;
  }
  const char* slash = __builtin_strrchr(found.dli_fname, '/');
  PLAIT_REAL(fprintf)(file, " %s", slash ? slash + 1 : found.dli_fname);
}

/// How many lines.
unsigned long put_module(FILE* file, const Module& module) {
  auto* print = PLAIT_REAL(fprintf);
  unsigned long lines = 0;
  for (const Site* site = module.sites; site < module.sites_end; ++site, ++lines) {
    if (site->parent)
      print(file, "S\t%u\t%u\t%u\t%u", site_offset(site), site_offset(site->parent), site->line, site->column);
    else
      print(file, "S\t%u\t-1\t%u\t%u", site_offset(site), site->line, site->column);
    put_field(file, site->file);
    put_field(file, site->function);
    put_field(file, site->text);
    if (site->text && site->text[0] == kCallText) put_library(file, site->text + 1);
    print(file, "\n");
  }
  for (const GlobalVariable* global = module.globals; global < module.globals_end; ++global, ++lines) {
    print(file, "G\t%lx\t%lu\t%u", reinterpret_cast<u64>(global->address), global->size, global->line);
    put_field(file, global->file);
    put_field(file, global->name);
    print(file, "\n");
  }
  return lines;
}

}  // namespace

void describe(const char* path) {
  FILE* file = PLAIT_REAL(fopen)(path, "w");
  if (!file) die("cannot write the program's tables");
  auto* print = PLAIT_REAL(fprintf);
  unsigned long lines = 0;
  for (u32 i = 0; i < module_count; ++i) lines += put_module(file, modules[i]);
  for (const ObjectType* type = __start_plait_types; type < __stop_plait_types; ++type, ++lines) {
    const u64 of = reinterpret_cast<u64>(type->of);
    if (is_site(of))
      print(file, "Y\tsite\t%u", site_offset(reinterpret_cast<const Site*>(of & ~u64{kLibrarySite})));
    else
      print(file, "Y\tvariable\t%lx", of);
    put_field(file, type->name);
    put_field(file, type->layout);
    print(file, "\n");
  }
  for (u32 word = 0; word < kGhostWords; ++word, ++lines)
    print(file, "G\t%lx\t8\t0\t\t%s\n", address_of_ghost(word), name_of_ghost(word));
  for (unsigned thread = 0; thread < kMaxThreads; ++thread, lines += 2) {
    print(file, "T\theap\t%u\t%lx\t%lx\n", thread, slice(thread), slice(thread) + kArenaSize);
    print(file, "T\tstack\t%u\t%lx\t%lx\n", thread, slice(thread) + kStackOffset,
          slice(thread) + kStackOffset + kStackSize);
  }
  print(file, "E\t%lu\n", lines);
  if (PLAIT_REAL(fclose)(file) != 0) die("cannot write the program's tables");
}

}  // namespace plait::runtime

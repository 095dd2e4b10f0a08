// Opening, closing, naming and describing files: private_files.h. Names and the table of descriptors are state that
// threads share; ghost words stand for them. A call first finds its file, then takes a number for it: the two are
// separate steps, as threads of a real system see them.
// Long because it is one short function for each of the many calls about files.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/value.h"
#include "runtime/access.h"
#include "runtime/failure.h"
#include "runtime/files.h"
#include "runtime/ghost.h"
#include "runtime/private_files.h"
#include "runtime/process.h"
#include "runtime/streams.h"
#include "runtime/system_state.h"

namespace plait::runtime {
namespace {

enum Action : u64 { kOpen = 1, kClose, kDuplicate, kFlags, kRemove, kRename, kTruncate, kMode };

void change_table(u64 what) {
  change(Ghost::DescriptorTable, what);
  descriptors_changed = true;
}

constexpr int kMostDescriptors = 256;
int copy_of[kMostDescriptors];      // + 1; 0: it is none
constexpr u32 kNoContents = ~0u;    // a file without a name
u32 contents_of[kMostDescriptors];  // for those that the run has opened

int copied(int from, int to) {
  if (to >= 0 && to < kMostDescriptors) copy_of[to] = first_descriptor(from) + 1;
  if (to >= 0) note_new_descriptor(to);
  return to;
}

/// A path that the program has given, found: absolute and private.
class Path {
 public:
  Path(int folder, const char* path) {
    char copy[PATH_MAX];
    if (read_text(path, copy, sizeof copy, call_site()) == sizeof copy) {
      errno = ENAMETOOLONG;
      return;
    }
    if (copy[0] != '/') look_at(folder == AT_FDCWD ? Ghost::Directory : Ghost::DescriptorTable);
    found_ = resolve(folder, copy, text_);
    if (!found_) return;
    number_ = static_cast<u32>(hash_of(text_));
    contents_ = contents_number(text_);
  }
  bool found() const { return found_; }
  const char* text() const { return text_; }
  void look() const { look_at(Ghost::FileNames, number_); }
  u64 change(u64 what) const {
    descriptors_changed = true;  // private files have descriptors, too
    return after_change(runtime::change(Ghost::FileNames, what, number_), what);
  }
  void expect_still(u64 left) const { expect(Ghost::FileNames, left, number_); }
  void look_at_contents() { left_ = look_at(Ghost::Files, contents_); }
  void change_contents(u64 what) { left_ = after_change(runtime::change(Ghost::Files, what, contents_), what); }
  void expect_contents() const {
    expect(Ghost::Files, left_, contents_);
    if (contents_number(text_) != contents_) run.unpredictable = true;  // another file has this name now
  }
  u32 contents() const { return contents_; }
  bool same_word(const Path& other) const { return number_ % kFileNameWords == other.number_ % kFileNameWords; }

 private:
  char text_[PATH_MAX];
  u32 number_ = 0, contents_ = 0;
  u64 left_ = 0;
  bool found_ = false;
};

/// A hidden descriptor of a file; < 0: errno.
int open_hidden(int folder, const char* path, int flags, mode_t mode, u32& contents) {
  Path file(folder, path);
  if (!file.found()) return -1;
  if (flags & (O_CREAT | O_TRUNC)) {
    const u64 what = machine::mix(kOpen, static_cast<u64>(flags) << 32 | mode), mask = look_at(Ghost::Umask);
    if (flags & O_TRUNC)
      file.change_contents(what);
    else
      file.look_at_contents();
    file.change(what);
    expect(Ghost::Umask, mask);
    file.expect_contents();
  } else if ((flags & O_ACCMODE) != O_RDONLY) {
    file.change(kOpen);  // from now on it is private
  } else {
    file.look();
  }
  const int fd = open_privately(file.text(), flags, mode);
  contents = contents_number(file.text());
  return fd < 0 ? fd : hide_descriptor(fd);
}

/// The lowest free number for what is open as `hidden`.
int take_number(int hidden, int flags, u32 contents = kNoContents) {
  change_table(kOpen << 32);
  const int fd = PLAIT_REAL(fcntl)(hidden, flags & O_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
  PLAIT_REAL(close)(hidden);
  if (fd >= 0 && contents == kNoContents) note_memory_file(fd, static_cast<u32>(fd));
  if (fd >= 0 && fd < kMostDescriptors) {
    copy_of[fd] = 0;
    contents_of[fd] = contents;
  }
  if (fd >= 0) note_new_descriptor(fd);
  return fd;
}

int open_file(int folder, const char* path, int flags, mode_t mode) {
  if (!files_are_private()) return PLAIT_REAL(openat)(folder, path, flags, mode);
  u32 contents;
  const int hidden = open_hidden(folder, path, flags, mode, contents);
  return hidden < 0 ? hidden : take_number(hidden, flags, contents);
}

FILE* open_stream(const char* path, const char* mode) {
  if (!files_are_private()) return PLAIT_REAL(fopen)(path, mode);
  char copy[32];
  read_text(mode, copy, sizeof copy, call_site());
  const int flags = open_flags(copy);
  u32 contents = kNoContents;
  const int hidden = flags < 0 ? -1 : open_hidden(AT_FDCWD, path, flags, 0666, contents);
  if (hidden < 0) return nullptr;
  const int fd = take_number(hidden, flags, contents);
  return fd < 0 ? nullptr : take_stream(fd, flags);
}

void keep_standard_output(int fd, const char* what) {
  if (fd == STDOUT_FILENO || fd == STDERR_FILENO) unsupported(what);
}

int remove_file(int folder, const char* path) {
  const Path file(folder, path);
  if (!file.found()) return -1;
  file.change(kRemove);
  return remove_privately(file.text());
}

int rename_file(int from_folder, const char* from, int to_folder, const char* to) {
  const Path source(from_folder, from), target(to_folder, to);
  if (!source.found() || !target.found()) return -1;
  const u64 what = machine::mix(hash_of(source.text()), hash_of(target.text()));
  const u64 left = source.change(what);
  if (!source.same_word(target)) target.change(what);
  source.expect_still(left);
  return rename_privately(source.text(), target.text());
}

int describe_file(int folder, const char* path, struct stat* to, int flags) {
  if (!files_are_private()) return PLAIT_REAL(fstatat)(folder, path, to, flags);
  struct stat status;
  int result;
  if ((flags & AT_EMPTY_PATH) && !*path) {
    const u32 number = contents_of_descriptor(folder);
    const u64 contents = look_at(Ghost::Files, number);  // the size
    look_at(Ghost::DescriptorTable);
    expect(Ghost::Files, contents, number);
    result = describe_open_file(folder, &status);
  } else {
    Path file(folder, path);
    if (!file.found()) return -1;
    file.look_at_contents();  // the size
    file.look();
    file.expect_contents();
    result = stat_privately(file.text(), &status);
  }
  if (result == 0)
    store_range(reinterpret_cast<u64>(to), reinterpret_cast<const char*>(&status), sizeof status, call_site());
  return result;
}

/// Fills the last six X of a template with a name that is not there yet, the same in every run.
int open_unique(char* pattern, int suffix, int flags, bool create) {
  char copy[PATH_MAX];
  const u32 site = call_site();
  const u64 length = read_text(pattern, copy, sizeof copy, site);
  if (length == sizeof copy || length < 6u + static_cast<u64>(suffix) ||
      strncmp(copy + length - 6 - suffix, "XXXXXX", 6) != 0) {
    errno = EINVAL;
    return -1;
  }
  for (u32 number = 0; number < 1000; ++number) {
    char digits[8];
    snprintf(digits, sizeof digits, "%06u", number);
    memcpy(copy + length - 6 - suffix, digits, 6);
    const Path file(AT_FDCWD, copy);
    if (!file.found()) return -1;
    file.change(machine::mix(kOpen, number));
    struct stat status;
    if (stat_privately(file.text(), &status) == 0) continue;
    const int fd = create ? open_privately(file.text(), (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL, 0600) : 0;
    if (fd < 0) return fd;
    const int hidden = create ? hide_descriptor(fd) : 0;
    store_range(reinterpret_cast<u64>(pattern) + length - 6 - static_cast<u64>(suffix), digits, 6, site);
    return create ? take_number(hidden, flags, contents_number(file.text())) : 0;
  }
  errno = EEXIST;
  return -1;
}

/// Refused if it would do something: that a file or folder is there already is an answer.
int refuse_to_create(const char* path, const char* what) {
  const Path file(AT_FDCWD, path);
  if (!file.found()) return -1;
  file.look();
  struct stat status;
  if (stat_privately(file.text(), &status) != 0) unsupported(what);
  errno = EEXIST;
  return -1;
}

void look_at_all_names(const char* what) {
  for (u32 number = 0; number < kFileNameWords; ++number) look_at(Ghost::FileNames, number);
  if (has_private_names()) unsupported(what);
}

}  // namespace

int first_descriptor(int fd) { return fd >= 0 && fd < kMostDescriptors && copy_of[fd] ? copy_of[fd] - 1 : fd; }

u32 contents_of_descriptor(int fd) {
  fd = first_descriptor(fd);
  const u32 contents = fd >= 0 && fd < kMostDescriptors ? contents_of[fd] : kNoContents;
  return contents == kNoContents ? static_cast<u32>(fd) : contents;
}

void forget_copies() {
  __builtin_memset(copy_of, 0, sizeof copy_of);
  __builtin_memset(contents_of, 0xff, sizeof contents_of);
}

}  // namespace plait::runtime

using namespace plait;
using namespace plait::runtime;

extern "C" {

#define PLAIT_MODE(last)                         \
  va_list arguments;                             \
  va_start(arguments, last);                     \
  const mode_t mode = va_arg(arguments, mode_t); \
  va_end(arguments)

int open(const char* path, int flags, ...) {
  PLAIT_MODE(flags);
  return open_file(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  PLAIT_MODE(flags);
  return open_file(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  PLAIT_MODE(flags);
  return open_file(folder, path, flags, mode);
}
int openat64(int folder, const char* path, int flags, ...) {
  PLAIT_MODE(flags);
  return open_file(folder, path, flags, mode);
}
int creat(const char* path, mode_t mode) { return open_file(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode); }
int creat64(const char* path, mode_t mode) { return creat(path, mode); }
int __open_2(const char* path, int flags) { return open_file(AT_FDCWD, path, flags, 0); }
int __open64_2(const char* path, int flags) { return open_file(AT_FDCWD, path, flags, 0); }
int __openat_2(int folder, const char* path, int flags) { return open_file(folder, path, flags, 0); }

FILE* fopen(const char* path, const char* mode) { return open_stream(path, mode); }
FILE* fopen64(const char* path, const char* mode) { return open_stream(path, mode); }
FILE* fdopen(int fd, const char* mode) noexcept {
  if (!files_are_private()) return PLAIT_REAL(fdopen)(fd, mode);
  keep_standard_output(fd, "fdopen of standard output");
  char copy[32];
  read_text(mode, copy, sizeof copy, call_site());
  const int flags = open_flags(copy);
  change_table(kFlags << 32 | static_cast<u64>(fd));
  return flags < 0 || PLAIT_REAL(fcntl)(fd, F_GETFL) < 0 ? nullptr : take_stream(fd, flags);
}
FILE* freopen(const char*, const char*, FILE*) { unsupported("freopen"); }
FILE* freopen64(const char*, const char*, FILE*) { unsupported("freopen"); }
FILE* tmpfile() {
  if (!files_are_private()) return PLAIT_REAL(tmpfile)();
  const int fd = take_number(hide_descriptor(open_privately("/tmp", O_RDWR | O_TMPFILE, 0600)), 0);
  return fd < 0 ? nullptr : take_stream(fd, O_RDWR);
}
FILE* tmpfile64() { return tmpfile(); }
int memfd_create(const char* name, unsigned flags) noexcept {
  if (!files_are_private()) return PLAIT_REAL(memfd_create)(name, flags);
  const int fd = PLAIT_REAL(memfd_create)("", flags);
  return fd < 0 ? fd : take_number(hide_descriptor(fd), flags & MFD_CLOEXEC ? O_CLOEXEC : 0);
}
int fclose(FILE* stream) {
  if (!run.active) return PLAIT_REAL(fclose)(stream);
  if (stream == stdin || stream == stdout || stream == stderr) return fflush(stream);
  if (!is_own_stream(stream)) return PLAIT_REAL(fclose)(stream);
  use_buffer(stream, call_site());
  const int fd = descriptor_of(stream);
  // What it still holds is written now.
  const u64 left = writes(stream) ? write_through(fd, kClose, "", 0) : use_descriptor(fd, kClose);
  change_table(kClose << 32 | static_cast<u64>(fd));
  require_open(stream, call_site());
  expect_descriptor(fd, left);
  const bool written = give_back_stream(stream);
  return PLAIT_REAL(close)(fd) == 0 && written ? 0 : EOF;
}

int close(int fd) {
  if (!run.active) return PLAIT_REAL(close)(fd);
  if (process.worker) keep_standard_output(fd, "closing standard output or error");
  look_at(Ghost::DescriptorTable);  // of what it is a copy
  const Closing begun = begin_closing(fd);
  change_table(kClose << 32 | static_cast<u64>(fd));
  const int result = PLAIT_REAL(close)(fd);
  end_closing(fd, begun);
  return result;
}
int dup(int fd) noexcept {
  if (!run.active) return PLAIT_REAL(dup)(fd);
  if (process.worker) keep_standard_output(fd, "dup of standard output or error");
  change_table(kDuplicate << 32 | static_cast<u64>(fd));
  return copied(fd, PLAIT_REAL(dup)(fd));
}
int dup3(int from, int to, int flags) noexcept {
  if (!run.active) return PLAIT_REAL(dup3)(from, to, flags);
  if (process.worker) keep_standard_output(from, "dup of standard output or error");
  if (process.worker) keep_standard_output(to, "redirecting standard output or error");
  change_table(machine::mix(kDuplicate << 32 | static_cast<u64>(from), static_cast<u64>(to)));
  return copied(from, PLAIT_REAL(dup3)(from, to, flags));
}
int dup2(int from, int to) noexcept {
  if (!run.active) return PLAIT_REAL(dup2)(from, to);
  if (from != to) return dup3(from, to, 0);
  look_at(Ghost::DescriptorTable);
  return PLAIT_REAL(dup2)(from, to);
}
int fcntl(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  if (!run.active) return PLAIT_REAL(fcntl)(fd, command, argument);
  switch (command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
      if (process.worker) keep_standard_output(fd, "dup of standard output or error");
      [[fallthrough]];
    case F_SETFD:
    case F_SETFL:
      change_table(machine::mix(kFlags << 32 | static_cast<u64>(command), reinterpret_cast<u64>(argument)) +
                   static_cast<u64>(fd));
      break;
    case F_GETFD:
    case F_GETFL: look_at(Ghost::DescriptorTable); break;
    default: unsupported("this command of fcntl");
  }
  const int result = PLAIT_REAL(fcntl)(fd, command, argument);
  return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? copied(fd, result) : result;
}
int fcntl64(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  return fcntl(fd, command, argument);
}

int unlink(const char* path) noexcept {
  return files_are_private() ? remove_file(AT_FDCWD, path) : PLAIT_REAL(unlink)(path);
}
int unlinkat(int folder, const char* path, int flags) noexcept {
  if (!files_are_private()) return PLAIT_REAL(unlinkat)(folder, path, flags);
  return remove_file(folder, path);
}
int remove(const char* path) noexcept {
  return files_are_private() ? remove_file(AT_FDCWD, path) : PLAIT_REAL(remove)(path);
}
int rename(const char* from, const char* to) noexcept {
  return files_are_private() ? rename_file(AT_FDCWD, from, AT_FDCWD, to) : PLAIT_REAL(rename)(from, to);
}
int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  return files_are_private() ? rename_file(from_folder, from, to_folder, to)
                             : PLAIT_REAL(renameat)(from_folder, from, to_folder, to);
}
int truncate(const char* path, off_t size) noexcept {
  if (!files_are_private()) return PLAIT_REAL(truncate)(path, size);
  Path file(AT_FDCWD, path);
  if (!file.found()) return -1;
  const u64 what = machine::mix(kTruncate, static_cast<u64>(size));
  file.change_contents(what);
  file.change(what);
  file.expect_contents();
  return truncate_privately(file.text(), size);
}
int truncate64(const char* path, off_t size) noexcept { return truncate(path, size); }
int ftruncate(int fd, off_t size) noexcept {
  write_through(fd, kTruncate, &size, sizeof size);
  return PLAIT_REAL(ftruncate)(fd, size);
}
int ftruncate64(int fd, off_t size) noexcept { return ftruncate(fd, size); }
int chmod(const char* path, mode_t mode) noexcept {
  if (!files_are_private()) return PLAIT_REAL(chmod)(path, mode);
  const Path file(AT_FDCWD, path);
  if (!file.found()) return -1;
  file.change(machine::mix(kMode, mode));
  return change_mode_privately(file.text(), mode);
}

int fstatat(int folder, const char* path, struct stat* to, int flags) noexcept {
  return describe_file(folder, path, to, flags);
}
int stat(const char* path, struct stat* to) noexcept { return describe_file(AT_FDCWD, path, to, 0); }
int lstat(const char* path, struct stat* to) noexcept { return describe_file(AT_FDCWD, path, to, AT_SYMLINK_NOFOLLOW); }
int fstat(int fd, struct stat* to) noexcept {
  return files_are_private() ? describe_file(fd, "", to, AT_EMPTY_PATH) : PLAIT_REAL(fstat)(fd, to);
}
int fstatat64(int folder, const char* path, struct stat64* to, int flags) noexcept {
  return describe_file(folder, path, reinterpret_cast<struct stat*>(to), flags);
}
int stat64(const char* path, struct stat64* to) noexcept { return stat(path, reinterpret_cast<struct stat*>(to)); }
int lstat64(const char* path, struct stat64* to) noexcept { return lstat(path, reinterpret_cast<struct stat*>(to)); }
int fstat64(int fd, struct stat64* to) noexcept { return fstat(fd, reinterpret_cast<struct stat*>(to)); }
int statx(int folder, const char* path, int flags, unsigned mask, struct statx* to) noexcept {
  if (!files_are_private()) return PLAIT_REAL(statx)(folder, path, flags, mask, to);
  unsupported("statx");
}
int faccessat(int folder, const char* path, int mode, int flags) noexcept {
  if (!files_are_private()) return PLAIT_REAL(faccessat)(folder, path, mode, flags);
  const Path file(folder, path);
  if (!file.found()) return -1;
  file.look();
  struct stat status;
  if (stat_privately(file.text(), &status) != 0) return -1;
  const int wanted = mode << 6;
  if (S_ISREG(status.st_mode) && (status.st_mode & static_cast<mode_t>(wanted)) != static_cast<mode_t>(wanted) &&
      mode != F_OK) {
    errno = EACCES;
    return -1;
  }
  return S_ISREG(status.st_mode) ? 0 : PLAIT_REAL(access)(file.text(), mode);
}
int access(const char* path, int mode) noexcept { return faccessat(AT_FDCWD, path, mode, 0); }
int eaccess(const char* path, int mode) noexcept { return faccessat(AT_FDCWD, path, mode, AT_EACCESS); }
int euidaccess(const char* path, int mode) noexcept { return faccessat(AT_FDCWD, path, mode, AT_EACCESS); }

int mkstemp(char* pattern) {
  return files_are_private() ? open_unique(pattern, 0, 0, true) : PLAIT_REAL(mkstemp)(pattern);
}
int mkstemp64(char* pattern) { return mkstemp(pattern); }
int mkostemp(char* pattern, int flags) {
  return files_are_private() ? open_unique(pattern, 0, flags, true) : PLAIT_REAL(mkostemp)(pattern, flags);
}
int mkstemps(char* pattern, int suffix) {
  return files_are_private() ? open_unique(pattern, suffix, 0, true) : PLAIT_REAL(mkstemps)(pattern, suffix);
}

int mkdir(const char* path, mode_t mode) noexcept {
  return files_are_private() ? refuse_to_create(path, "mkdir") : PLAIT_REAL(mkdir)(path, mode);
}

// Refused: they would change what later runs, other workers and the user see, or give names that differ in every run.
#define PLAIT_REFUSE(result, name, parameters, ...)                 \
  result name parameters {                                          \
    if (!files_are_private()) return PLAIT_REAL(name)(__VA_ARGS__); \
    unsupported(#name);                                             \
  }
PLAIT_REFUSE(int, mkdirat, (int folder, const char* path, mode_t mode) noexcept, folder, path, mode)
PLAIT_REFUSE(int, rmdir, (const char* path) noexcept, path)
PLAIT_REFUSE(int, link, (const char* from, const char* to) noexcept, from, to)
PLAIT_REFUSE(int, linkat, (int a, const char* from, int b, const char* to, int flags) noexcept, a, from, b, to, flags)
PLAIT_REFUSE(int, symlink, (const char* from, const char* to) noexcept, from, to)
PLAIT_REFUSE(int, symlinkat, (const char* from, int folder, const char* to) noexcept, from, folder, to)
PLAIT_REFUSE(int, renameat2, (int a, const char* from, int b, const char* to, unsigned flags) noexcept, a, from, b, to,
             flags)
PLAIT_REFUSE(int, mkfifo, (const char* path, mode_t mode) noexcept, path, mode)
PLAIT_REFUSE(int, mknod, (const char* path, mode_t mode, dev_t device) noexcept, path, mode, device)
PLAIT_REFUSE(int, fchmodat, (int folder, const char* path, mode_t mode, int flags) noexcept, folder, path, mode, flags)
PLAIT_REFUSE(int, chown, (const char* path, uid_t user, gid_t group) noexcept, path, user, group)
PLAIT_REFUSE(int, lchown, (const char* path, uid_t user, gid_t group) noexcept, path, user, group)
PLAIT_REFUSE(int, fchown, (int fd, uid_t user, gid_t group) noexcept, fd, user, group)
PLAIT_REFUSE(int, fchownat, (int f, const char* p, uid_t u, gid_t g, int flags) noexcept, f, p, u, g, flags)
PLAIT_REFUSE(int, utimensat, (int folder, const char* path, const timespec times[2], int flags) noexcept, folder, path,
             times, flags)
PLAIT_REFUSE(int, futimens, (int fd, const timespec times[2]) noexcept, fd, times)
PLAIT_REFUSE(char*, mkdtemp, (char* pattern) noexcept, pattern)
PLAIT_REFUSE(char*, tempnam, (const char* folder, const char* prefix) noexcept, folder, prefix)
PLAIT_REFUSE(int, pipe, (int fds[2]) noexcept, fds)
PLAIT_REFUSE(int, pipe2, (int fds[2], int flags) noexcept, fds, flags)

char* tmpnam(char* to) noexcept {
  (void)to;
  unsupported("tmpnam");
}
char* mktemp(char* pattern) noexcept {
  if (files_are_private() && open_unique(pattern, 0, 0, false) == 0) return pattern;
  *pattern = 0;
  return pattern;
}
}

#include <dirent.h>
#include <sys/file.h>

extern "C" {
DIR* opendir(const char* path) {
  if (files_are_private()) look_at_all_names("listing a directory after files were changed");
  return PLAIT_REAL(opendir)(path);
}
PLAIT_REFUSE(int, flock, (int fd, int operation) noexcept, fd, operation)
}

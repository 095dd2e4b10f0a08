#include "runtime/private_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "machine/value.h"
#include "runtime/failure.h"
#include "runtime/ghost.h"
#include "runtime/process.h"
#include "runtime/scheduler.h"

namespace plait::runtime {
namespace {

constexpr u32 kMostFiles = 128;
constexpr int kHidden = 300;  // descriptors of the runtime lie above

constexpr const char* kOwnDescriptors = "/proc/self/fd/";

struct PrivateFile {
  char path[PATH_MAX];
  int memory;  // the file's contents; < 0: there is no such file
};
PrivateFile files[kMostFiles];
u32 file_count = 0;

PrivateFile* find(const char* path) {
  for (u32 i = 0; i < file_count; ++i)
    if (strcmp(files[i].path, path) == 0) return files + i;
  return nullptr;
}

PrivateFile& add(const char* path, int memory) {
  if (file_count == kMostFiles)
    fail({.kind = FailureKind::OutOfResources}, "a run changes more than %u files", kMostFiles);
  PrivateFile& file = files[file_count++];
  strcpy(file.path, path);
  file.memory = memory;
  if (memory >= 0) note_memory_file(memory, static_cast<u32>(hash_of(path)));
  return file;
}

int fail_with(int error) {
  errno = error;
  return -1;
}

int memory_file() {
  const int fd = PLAIT_REAL(memfd_create)("plait-file", MFD_CLOEXEC);
  if (fd < 0) fail({.kind = FailureKind::OutOfResources}, "no memory for a file that the program writes");
  return hide_descriptor(fd);
}

int private_copy(const char* path) {
  const int from = PLAIT_REAL(open)(path, O_RDONLY | O_CLOEXEC);
  if (from < 0) return -1;
  const int to = memory_file();
  char buffer[8192];
  struct stat status;
  for (ssize_t size; (size = PLAIT_REAL(read)(from, buffer, sizeof buffer)) > 0;)
    if (PLAIT_REAL(write)(to, buffer, static_cast<size_t>(size)) != size)
      fail({.kind = FailureKind::OutOfResources}, "no memory for a copy of %.150s", path);
  if (PLAIT_REAL(fstat)(from, &status) == 0) PLAIT_REAL(fchmod)(to, status.st_mode & 07777);
  PLAIT_REAL(close)(from);
  return to;
}

/// Files in memory that have been made in this run, by inode. Their own numbers differ from run to run.
struct MemoryFile {
  dev_t device;
  ino_t inode;
  u32 contents;
};
constexpr u32 kMostMemoryFiles = 256;
MemoryFile memory_files[kMostMemoryFiles];
u32 memory_file_count = 0;

const MemoryFile* find(const struct stat& status) {
  for (u32 i = 0; i < memory_file_count; ++i)
    if (memory_files[i].inode == status.st_ino && memory_files[i].device == status.st_dev) return memory_files + i;
  return nullptr;
}

u32 contents_number(const struct stat& status) {
  const MemoryFile* file = find(status);
  return file ? file->contents : static_cast<u32>(machine::mix(status.st_dev, status.st_ino));
}

/// The folder of a name that is about to come or go must allow that.
bool may_change_folder(const char* path) {
  char folder[PATH_MAX];
  strcpy(folder, path);
  char* slash = strrchr(folder, '/');
  slash[slash == folder] = 0;
  return PLAIT_REAL(access)(folder, W_OK | X_OK) == 0;
}

int open_memory(int memory, int flags) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", memory);
  return PLAIT_REAL(open)(path, flags & ~(O_CREAT | O_EXCL | O_NOFOLLOW));
}

int create(PrivateFile* file, const char* path, int flags, mode_t mode) {
  if (!may_change_folder(path)) return -1;
  const int memory = memory_file();
  const mode_t mask = PLAIT_REAL(umask)(0);
  PLAIT_REAL(umask)(mask);
  const int fd = open_memory(memory, flags);
  PLAIT_REAL(fchmod)(memory, mode & ~mask & 07777);
  if (file) {
    file->memory = memory;
    note_memory_file(memory, static_cast<u32>(hash_of(path)));
  } else {
    add(path, memory);
  }
  return fd;
}

bool is_harmless_device(const char* path) {
  return strcmp(path, "/dev/null") == 0 || strcmp(path, "/dev/zero") == 0 || strcmp(path, "/dev/full") == 0;
}

/// A regular file as the run sees it, now a private one; null: errno says why.
PrivateFile* make_private(const char* path) {
  if (PrivateFile* file = find(path)) {
    if (file->memory >= 0) return file;
    errno = ENOENT;
    return nullptr;
  }
  struct stat status;
  if (PLAIT_REAL(stat)(path, &status) != 0) return nullptr;
  if (!S_ISREG(status.st_mode)) unsupported("changing something else than a regular file");
  const int memory = private_copy(path);
  return memory < 0 ? nullptr : &add(path, memory);
}

/// The process has another number in each worker.
void forget_process_number(char* path) {
  char own[32];
  const size_t size = static_cast<size_t>(snprintf(own, sizeof own, "/proc/%d/", PLAIT_REAL(getpid)()));
  if (strncmp(path, own, size) != 0) return;
  char rest[PATH_MAX];
  strcpy(rest, path + size);
  if (snprintf(path, PATH_MAX, "/proc/self/%s", rest) >= PATH_MAX) path[PATH_MAX - 1] = 0;
}

void without_clocks(struct stat& status) {
  status.st_atim = status.st_mtim = status.st_ctim = {};
  status.st_nlink = 1;
}

}  // namespace

bool files_are_private() { return run.active && process.worker; }

int hide_descriptor(int fd) {
  const int hidden = PLAIT_REAL(fcntl)(fd, F_DUPFD_CLOEXEC, kHidden);
  if (hidden < 0) fail({.kind = FailureKind::OutOfResources}, "too many open files");
  PLAIT_REAL(close)(fd);
  return hidden;
}

bool resolve(int folder, const char* path, char* to) {
  char full[PATH_MAX];
  if (!*path) return fail_with(ENOENT), false;
  if (folder != AT_FDCWD && *path != '/') {
    if (snprintf(full, sizeof full, "/proc/self/fd/%d/%s", folder, path) >= PATH_MAX)
      return fail_with(ENAMETOOLONG), false;
    path = full;
  }
  if (realpath(path, to)) {
    forget_process_number(to);
    return true;
  }
  if (errno != ENOENT) return false;
  char parent[PATH_MAX];
  if (snprintf(parent, sizeof parent, "%s", path) >= PATH_MAX) return fail_with(ENAMETOOLONG), false;
  char* slash = strrchr(parent, '/');
  const char* last = slash ? path + (slash - parent) + 1 : path;
  if (!*last) return fail_with(ENOENT), false;
  if (slash) slash[slash == parent] = 0;
  if (!realpath(slash ? parent : ".", to)) return false;
  const size_t length = strlen(to);
  if (length + strlen(last) + 2 > PATH_MAX) return fail_with(ENAMETOOLONG), false;
  snprintf(to + length, PATH_MAX - length, "%s%s", length > 1 ? "/" : "", last);
  forget_process_number(to);
  return true;
}

int open_privately(const char* path, int flags, mode_t mode) {
  const bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC);
  if ((flags & O_TMPFILE) == O_TMPFILE) return open_memory(memory_file(), flags & ~O_TMPFILE);
  PrivateFile* file = find(path);
  if (file && file->memory < 0) return flags & O_CREAT ? create(file, path, flags, mode) : fail_with(ENOENT);
  if (file) return (flags & O_CREAT) && (flags & O_EXCL) ? fail_with(EEXIST) : open_memory(file->memory, flags);
  struct stat status;
  if (PLAIT_REAL(stat)(path, &status) != 0)
    return errno == ENOENT && (flags & O_CREAT) ? create(nullptr, path, flags, mode) : -1;
  if ((flags & O_CREAT) && (flags & O_EXCL)) return fail_with(EEXIST);
  if (S_ISREG(status.st_mode) && find(status))
    return PLAIT_REAL(open)(path, flags & ~(O_CREAT | O_EXCL));  // by its descriptor, in /proc
  if (S_ISREG(status.st_mode) && writes) {
    if (strncmp(path, kOwnDescriptors, strlen(kOwnDescriptors)) == 0)
      unsupported("opening a descriptor again for writing");
    if (PLAIT_REAL(access)(path, (flags & O_ACCMODE) == O_RDWR ? R_OK | W_OK : W_OK) != 0) return -1;
    file = make_private(path);
    return file ? open_memory(file->memory, flags) : -1;
  }
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode) && !is_harmless_device(path))
    unsupported("opening a device, pipe or socket");
  return PLAIT_REAL(open)(path, flags & ~O_CREAT);
}

int remove_privately(const char* path) {
  PrivateFile* file = find(path);
  if (file && file->memory < 0) return fail_with(ENOENT);
  if (!file) {
    struct stat status;
    if (PLAIT_REAL(lstat)(path, &status) != 0) return -1;
    if (S_ISDIR(status.st_mode)) unsupported("removing a directory");
    if (!may_change_folder(path)) return -1;
    file = &add(path, -1);
  }
  file->memory = -1;  // those who have it open keep what they have
  return 0;
}

int rename_privately(const char* from, const char* to) {
  PrivateFile* file = make_private(from);
  if (!file || !may_change_folder(from) || !may_change_folder(to)) return -1;
  if (strcmp(from, to) == 0) return 0;
  struct stat status;
  PrivateFile* target = find(to);
  if (!target && PLAIT_REAL(stat)(to, &status) == 0 && !S_ISREG(status.st_mode)) return fail_with(EISDIR);
  if (!target) target = &add(to, -1);
  target->memory = file->memory;
  file->memory = -1;
  return 0;
}

int stat_privately(const char* path, struct stat* to) {
  const PrivateFile* file = find(path);
  if (!file) {
    const int result = PLAIT_REAL(stat)(path, to);
    to->st_atim = to->st_mtim;  // reading it is no change that a later run may see
    return result;
  }
  if (file->memory < 0) return fail_with(ENOENT);
  const int result = PLAIT_REAL(fstat)(file->memory, to);
  without_clocks(*to);
  return result;
}

int describe_open_file(int fd, struct stat* to) {
  const int result = PLAIT_REAL(fstat)(fd, to);
  if (result != 0) return result;
  if (S_ISREG(to->st_mode) && to->st_nlink == 0)
    without_clocks(*to);
  else
    to->st_atim = to->st_mtim;
  return result;
}

int truncate_privately(const char* path, off_t size) {
  const PrivateFile* file = make_private(path);
  return file ? PLAIT_REAL(ftruncate)(file->memory, size) : -1;
}

int change_mode_privately(const char* path, mode_t mode) {
  const PrivateFile* file = make_private(path);
  return file ? PLAIT_REAL(fchmod)(file->memory, mode) : -1;
}

void note_memory_file(int fd, u32 contents) {
  struct stat status;
  if (PLAIT_REAL(fstat)(fd, &status) != 0) return;
  if (memory_file_count == kMostMemoryFiles)
    fail({.kind = FailureKind::OutOfResources}, "a run makes more than %u files", kMostMemoryFiles);
  memory_files[memory_file_count++] = {status.st_dev, status.st_ino, contents};
}

u32 contents_number(const char* path) {
  const PrivateFile* file = find(path);
  struct stat status;
  const bool exists =
      file ? file->memory >= 0 && PLAIT_REAL(fstat)(file->memory, &status) == 0 : PLAIT_REAL(stat)(path, &status) == 0;
  return exists ? contents_number(status) : static_cast<u32>(hash_of(path));
}

bool has_private_names() { return file_count != 0; }

void forget_private_files() { file_count = memory_file_count = 0; }

}  // namespace plait::runtime

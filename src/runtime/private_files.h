// A run's own view of the file system. What a run writes, creates, renames or removes exists in memory and in this run
// only: no file of the user is ever changed, no run sees an earlier one's files, and workers that run at the same time
// do not meet. What was not changed is read where it is.
#pragma once
#include <sys/stat.h>

#include "trace/types.h"

namespace plait::runtime {

/// False when the program runs without an engine: then its files are the real ones.
bool files_are_private();

/// The file that `path` means: absolute, without symbolic links, its last part need not exist. False: errno says why.
/// `folder`: as for openat.
bool resolve(int folder, const char* path, char* to);

/// As open(2), of a resolved path. Refused by name: what would change something outside.
int open_privately(const char* path, int flags, mode_t mode);
int remove_privately(const char* path);
int rename_privately(const char* from, const char* to);
/// Its kind, size and mode, and times that no clock decides.
int stat_privately(const char* path, struct stat* to);
int describe_open_file(int fd, struct stat* to);
int truncate_privately(const char* path, off_t size);
int change_mode_privately(const char* path, mode_t mode);

/// Names the contents of the file: they keep it when the file gets another name.
u32 contents_number(const char* path);
/// A file in memory, without a name of its own.
void note_memory_file(int fd, u32 contents);

/// Some name differs from what is really there: listings of directories would be wrong.
bool has_private_names();

/// A new run begins.
void forget_private_files();

/// The descriptor, moved up to where no program looks; it keeps no number that the program could get.
int hide_descriptor(int fd);

}  // namespace plait::runtime

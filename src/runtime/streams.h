// FILE objects. libc would allocate them where its own heap has room, which depends on earlier runs; here they are made
// once, before main, and handed out by number: their addresses depend on what the run has opened only. Standard streams
// are restored for each run.
#pragma once
#include <stdio.h>

#include "trace/types.h"

namespace plait::runtime {

/// Which way a mode string of fopen goes; -1: not a mode. As flags of open(2).
int open_flags(const char* mode);

/// A stream on `fd`, with the flags that it was opened with.
FILE* take_stream(int fd, int flags);
/// Writes what it holds, gives it back; the descriptor stays open. False: the data could not be written.
bool give_back_stream(FILE* stream);
/// One of ours?
bool is_own_stream(const FILE* stream);

/// Which one it has, or had before it was closed: whose ghosts stand for what is done with the stream.
int descriptor_of(FILE* stream);
/// Right before the stream is used: another thread may have closed it meanwhile.
void require_open(const FILE* stream, u32 site);

/// In front of that: a buffer that the program has given to the stream (setvbuf) must still live.
void use_buffer(const FILE* stream, u32 site);

/// It may hold data that is not written yet.
bool writes(const FILE* stream);

/// All are free; standard streams are as they were. For the first run: makes them.
void reset_streams();

}  // namespace plait::runtime

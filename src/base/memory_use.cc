#include "base/memory_use.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <limits>

namespace plait {
namespace {

std::atomic<u64> limit{0};

}  // namespace

u64 resident_bytes() {
  u64 pages = 0, resident = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(file, "%lu %lu", &pages, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return resident * static_cast<u64>(sysconf(_SC_PAGESIZE));
}

void set_memory_limit(u64 bytes) { limit.store(bytes); }

u64 memory_limit() { return limit.load(std::memory_order_relaxed); }

bool has_room_for(u64 more_bytes) {
  const u64 most = memory_limit();
  return most == 0 || resident_bytes() + more_bytes < most;
}

u32 run_megabytes(double gigabytes) {
  double megabytes = gigabytes * 1024;
  rlimit space{};
  if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
    megabytes = std::min(megabytes, static_cast<double>(space.rlim_cur >> 20));
  return std::max(1u, static_cast<u32>(megabytes));
}

u64 half_of_memory() {
  u64 all = static_cast<u64>(sysconf(_SC_PHYS_PAGES)) * static_cast<u64>(sysconf(_SC_PAGESIZE));
  std::ifstream container("/sys/fs/cgroup/memory.max");
  if (u64 allowed = 0; container >> allowed) all = std::min(all, allowed);  // "max": no number
  return all / 2;
}

}  // namespace plait

#include "host/class_map.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>

#include "base/error.h"

namespace plait {
namespace {

// A byte for each byte of a user address space, so that a worker can map the piece that belongs to an address without
// asking. Nothing is stored until a worker touches it.
constexpr u64 kSize = u64{1} << 47;
constexpr u64 kWindow = u64{1} << 20, kPiece = u64{1} << 16;

static_assert(kUntouched == 0);
bool eight_untouched(const u8* codes) {
  u64 word;
  std::memcpy(&word, codes, sizeof word);
  return word == 0;
}

/// The part of the map around an address, as memory: workers may write to it at the same time.
class Window {
 public:
  explicit Window(int file) : file_(file) {}
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window() { leave(); }

  u8& at(u64 address) {
    if (!data_ || address - begin_ >= kWindow) move_to(address & ~(kWindow - 1));
    return data_[address - begin_];
  }

 private:
  void leave() {
    if (data_) munmap(data_, kWindow);
    data_ = nullptr;
  }
  void move_to(u64 begin) {
    leave();
    void* data = mmap(nullptr, kWindow, PROT_READ | PROT_WRITE, MAP_SHARED, file_, static_cast<off_t>(begin));
    if (data == MAP_FAILED) throw Error(kExitInternal, "no memory for the class map");
    data_ = static_cast<u8*>(data);
    begin_ = begin;
  }

  const int file_;
  u8* data_ = nullptr;
  u64 begin_ = 0;
};

/// True if the byte became shared by this.
bool advance(u8& byte, u8 code) {
  std::atomic_ref<u8> known(byte);
  u8 old = known.load(std::memory_order_acquire);
  for (;;) {
    const u8 now = joined(old, code);
    if (now == old) return false;
    if (known.compare_exchange_strong(old, now)) return now == kSharedClass;
  }
}

}  // namespace

ClassMap::ClassMap() : file_(make_memory_file("plait-classes", kSize)) {}

std::vector<Touched> ClassMap::touched() const {
  std::vector<Touched> found;
  std::vector<u8> piece(kPiece);
  const auto note = [&](u64 address, u8 code) {
    if (!found.empty() && found.back().begin + found.back().size == address && found.back().code == code)
      ++found.back().size;
    else
      found.push_back({address, 1, code});
  };
  for (off_t at = 0; (at = lseek(file_.number(), at, SEEK_DATA)) >= 0;) {
    const off_t end = lseek(file_.number(), at, SEEK_HOLE);
    while (at < end) {
      const u64 wanted = std::min<u64>(piece.size(), static_cast<u64>(end - at));
      const ssize_t got = pread(file_.number(), piece.data(), wanted, at);
      if (got <= 0) return found;
      const auto size = static_cast<u64>(got);
      for (u64 i = 0; i < size; ++i) {
        if (i + 8 <= size && eight_untouched(&piece[i]))
          i += 7;
        else if (piece[i] != kUntouched)
          note(static_cast<u64>(at) + i, piece[i]);
      }
      at += got;
    }
  }
  return found;
}

void ClassMap::add(const std::vector<Touched>& pieces, const std::function<void(u64 begin, u32 size)>& share) {
  Window window(file_.number());
  for (const Touched& piece : pieces) {
    if (piece.begin >= kSize || piece.size > kSize - piece.begin || piece.code > kSharedClass) continue;
    std::optional<u64> shared_from;
    const auto tell = [&](u64 end) {
      if (shared_from) share(*shared_from, static_cast<u32>(end - *shared_from));
      shared_from.reset();
    };
    for (u64 at = piece.begin; at < piece.begin + piece.size; ++at) {
      if (!advance(window.at(at), static_cast<u8>(piece.code)))
        tell(at);
      else if (!shared_from)
        shared_from = at;
    }
    tell(piece.begin + piece.size);
  }
}

}  // namespace plait

// Buffers of std::pmr::monotonic_buffer_resource, which grow in the shared library.
#include <memory_resource>

namespace std::pmr {

/// At the end of a buffer.
class monotonic_buffer_resource::_Chunk {
 public:
  void* begin;
  size_t size, alignment;
  _Chunk* next;
};

monotonic_buffer_resource::~monotonic_buffer_resource() { release(); }

void monotonic_buffer_resource::_M_new_buffer(size_t bytes, size_t alignment) {
  const size_t wanted = bytes > _M_next_bufsiz ? bytes : _M_next_bufsiz;
  const size_t room = (wanted + alignof(_Chunk) - 1) / alignof(_Chunk) * alignof(_Chunk);
  const size_t aligned = alignment > alignof(_Chunk) ? alignment : alignof(_Chunk);
  void* begin = _M_upstream->allocate(room + sizeof(_Chunk), aligned);
  _M_head = new (static_cast<char*>(begin) + room) _Chunk{begin, room + sizeof(_Chunk), aligned, _M_head};
  _M_current_buf = begin;
  _M_avail = room;
  _M_next_bufsiz = static_cast<size_t>(static_cast<float>(_M_next_bufsiz) * _S_growth_factor);
}

void monotonic_buffer_resource::_M_release_buffers() noexcept {
  while (_Chunk* chunk = _M_head) {
    _M_head = chunk->next;
    _M_upstream->deallocate(chunk->begin, chunk->size, chunk->alignment);
  }
}

}  // namespace std::pmr

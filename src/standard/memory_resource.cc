// Where std::pmr gets its memory, and the resources that keep books: in the shared library nobody would see them.
//
// Pools hand everything on to their upstream resource, which the standard allows. So each block is a block of its own:
// a use after it was given back, or behind its end, is one.
#include <pthread.h>

#include <atomic>
#include <memory_resource>
#include <mutex>
#include <new>
#include <shared_mutex>

namespace std::pmr {

namespace {

class Heap final : public memory_resource {
  void* do_allocate(size_t bytes, size_t alignment) override { return ::operator new(bytes, align_val_t(alignment)); }
  void do_deallocate(void* block, size_t bytes, size_t alignment) override {
    ::operator delete(block, bytes, align_val_t(alignment));
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

class Nothing final : public memory_resource {
  void* do_allocate(size_t, size_t) override { throw bad_alloc(); }
  void do_deallocate(void*, size_t, size_t) override {}
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

/// There from the first moment on, and never destroyed.
template <class Resource>
union Lasting {
  Resource resource;
  constexpr Lasting() : resource() {}
  ~Lasting() {}
};
constinit Lasting<Heap> heap;
constinit Lasting<Nothing> nothing;
constinit atomic<memory_resource*> standard{&heap.resource};

}  // namespace

memory_resource* new_delete_resource() noexcept { return &heap.resource; }
memory_resource* null_memory_resource() noexcept { return &nothing.resource; }
memory_resource* get_default_resource() noexcept { return standard.load(memory_order_acquire); }
memory_resource* set_default_resource(memory_resource* resource) noexcept {
  return standard.exchange(resource ? resource : &heap.resource, memory_order_acq_rel);
}

/// All blocks of a pool stand in its list of large ones.
struct __pool_resource::_BigBlock {
  void* begin;
  size_t size, alignment;
};

__pool_resource::__pool_resource(const pool_options& options, memory_resource* upstream)
    : _M_opts(options), _M_unpooled(upstream), _M_npools(0) {}

__pool_resource::~__pool_resource() { release(); }

void* __pool_resource::allocate(size_t bytes, size_t alignment) {
  _M_unpooled.reserve(_M_unpooled.size() + 1);
  void* block = resource()->allocate(bytes, alignment);
  _M_unpooled.push_back({block, bytes, alignment});
  return block;
}

void __pool_resource::deallocate(void* begin, size_t bytes, size_t alignment) {
  for (size_t i = _M_unpooled.size(); i-- > 0;) {
    if (_M_unpooled[i].begin != begin) continue;
    _M_unpooled[i] = _M_unpooled.back();
    _M_unpooled.pop_back();
    break;
  }
  resource()->deallocate(begin, bytes, alignment);
}

void __pool_resource::release() noexcept {
  while (!_M_unpooled.empty()) {
    const _BigBlock block = _M_unpooled.back();
    _M_unpooled.pop_back();
    resource()->deallocate(block.begin, block.size, block.alignment);
  }
}

unsynchronized_pool_resource::unsynchronized_pool_resource(const pool_options& options, memory_resource* upstream)
    : _M_impl(options, upstream) {}
unsynchronized_pool_resource::~unsynchronized_pool_resource() = default;
void unsynchronized_pool_resource::release() { _M_impl.release(); }
void* unsynchronized_pool_resource::do_allocate(size_t bytes, size_t alignment) {
  return _M_impl.allocate(bytes, alignment);
}
void unsynchronized_pool_resource::do_deallocate(void* block, size_t bytes, size_t alignment) {
  _M_impl.deallocate(block, bytes, alignment);
}

/// What one thread has allocated. Others come here only to give its blocks back.
struct synchronized_pool_resource::_TPools {
  mutex lock;
  __pool_resource pool;
  _TPools* next;
};

synchronized_pool_resource::synchronized_pool_resource(const pool_options& options, memory_resource* upstream)
    : _M_impl(options, upstream), _M_key() {
  if (pthread_key_create(&_M_key, nullptr)) throw bad_alloc();
}

synchronized_pool_resource::~synchronized_pool_resource() {
  pthread_key_delete(_M_key);
  while (_TPools* own = _M_tpools) {
    _M_tpools = own->next;
    own->~_TPools();
    upstream_resource()->deallocate(own, sizeof(_TPools), alignof(_TPools));
  }
}

synchronized_pool_resource::_TPools* synchronized_pool_resource::_M_alloc_tpools(lock_guard<shared_mutex>&) {
  void* memory = upstream_resource()->allocate(sizeof(_TPools), alignof(_TPools));
  _M_tpools = new (memory) _TPools{{}, {_M_impl._M_opts, upstream_resource()}, _M_tpools};
  pthread_setspecific(_M_key, _M_tpools);
  return _M_tpools;
}

void synchronized_pool_resource::release() {
  lock_guard all(_M_mx);
  for (_TPools* own = _M_tpools; own; own = own->next) {
    lock_guard lock(own->lock);
    own->pool.release();
  }
}

void* synchronized_pool_resource::do_allocate(size_t bytes, size_t alignment) {
  auto* own = static_cast<_TPools*>(pthread_getspecific(_M_key));
  if (!own) {
    lock_guard all(_M_mx);
    own = _M_alloc_tpools(all);
  }
  lock_guard lock(own->lock);
  return own->pool.allocate(bytes, alignment);
}

void synchronized_pool_resource::do_deallocate(void* begin, size_t bytes, size_t alignment) {
  const auto gave_back = [=](_TPools& pools) {
    lock_guard lock(pools.lock);
    for (const auto& block : pools.pool._M_unpooled) {
      if (block.begin != begin) continue;
      pools.pool.deallocate(begin, bytes, alignment);
      return true;
    }
    return false;
  };
  auto* own = static_cast<_TPools*>(pthread_getspecific(_M_key));
  if (own && gave_back(*own)) return;
  lock_guard all(_M_mx);
  for (_TPools* other = _M_tpools; other; other = other->next)
    if (other != own && gave_back(*other)) return;
}

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

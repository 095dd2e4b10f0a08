// What <future> leaves to the shared library: results, and those that are told when their thread ends.
#include <future>

namespace std {

__future_base::_Result_base::_Result_base() = default;
__future_base::_Result_base::~_Result_base() = default;

void __future_base::_State_baseV2::_Make_ready::_M_set() {
  const shared_ptr<_State_baseV2> state = _M_shared_state.lock();
  state->_M_status._M_store_notify_all(_Status::__ready, memory_order_release);
}

void __future_base::_State_baseV2::_Make_ready::_S_run(void* self) {
  const unique_ptr<_Make_ready> ready(static_cast<_Make_ready*>(self));
  ready->_M_set();
}

}  // namespace std

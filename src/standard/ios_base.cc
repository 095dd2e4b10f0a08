// The part of every stream that is no template.
#include <ios>
#include <locale>

namespace std {

ios_base::ios_base() noexcept
    : _M_precision(),
      _M_width(),
      _M_flags(),
      _M_exception(),
      _M_streambuf_state(),
      _M_callbacks(nullptr),
      _M_word_size(_S_local_word_size),
      _M_word(_M_local_word) {}

ios_base::~ios_base() {
  _M_call_callbacks(erase_event);
  _M_dispose_callbacks();
  if (_M_word != _M_local_word) delete[] _M_word;
}

void ios_base::_M_init() noexcept {
  _M_precision = 6;
  _M_width = 0;
  _M_flags = skipws | dec;
  _M_ios_locale = locale();
}

locale ios_base::imbue(const locale& next) noexcept {
  const locale old = _M_ios_locale;
  _M_ios_locale = next;
  _M_call_callbacks(imbue_event);
  return old;
}

void ios_base::_M_call_callbacks(event what) noexcept {
  for (const _Callback_list* callback = _M_callbacks; callback; callback = callback->_M_next) {
    try {
      callback->_M_fn(what, *this, callback->_M_index);
    } catch (...) {
    }
  }
}

void ios_base::_M_dispose_callbacks() noexcept {
  for (_Callback_list* callback = _M_callbacks; callback && callback->_M_remove_reference() == 0;) {
    _Callback_list* next = callback->_M_next;
    delete callback;
    callback = next;
  }
  _M_callbacks = nullptr;
}

void ios_base::register_callback(event_callback function, int index) {
  _M_callbacks = new _Callback_list(function, index, _M_callbacks);
}

}  // namespace std

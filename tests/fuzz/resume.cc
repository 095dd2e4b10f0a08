// resume.json, as --resume reads it.
#include "report/resume.h"

#include "base/error.h"
#include "report/json.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  using namespace plait;
  try {
    resume_from_json(parse_json({reinterpret_cast<const char*>(data), size}), "input");
  } catch (const Error&) {
  } catch (const std::runtime_error&) {
  }
  return 0;
}

// JSON with keys in the order in which they were given. The code of its class is made once, in json.cc.
#pragma once
#include <nlohmann/json.hpp>

extern template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace plait {
using Json = nlohmann::ordered_json;
}

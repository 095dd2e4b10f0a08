// JSON with keys in the order in which they were given. The code of its class is made once, in json.cc.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

extern template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace plait {
using Json = nlohmann::ordered_json;

/// Of a file that may come from anywhere: within limits of size, depth and number of values, so that neither time,
/// memory nor stack is lost to it. Throws std::runtime_error with a few words.
Json parse_json(std::string_view text);

/// The same from a file. Throws Error (usage), one line that names the file.
Json read_json_file(const std::string& file);

}  // namespace plait

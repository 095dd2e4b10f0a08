// Inputs of a program as a reader sees them (trace/input.h).
#pragma once
#include <string>
#include <vector>

#include "report/json.h"
#include "trace/input.h"

namespace plait {

/// "7", "-1"
std::string input_value(const InputVariable& input);
/// "x = 7, y = -1"; the second of a name is "y#2", those of other threads say whose they are.
std::string inputs_text(const std::vector<InputVariable>& inputs);

Json inputs_to_json(const std::vector<InputVariable>& inputs);
/// Throws what the JSON library throws, or std::runtime_error.
std::vector<InputVariable> inputs_from_json(const Json& json);

}  // namespace plait

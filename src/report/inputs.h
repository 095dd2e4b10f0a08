// Inputs of a program as a reader sees them (trace/input.h).
#pragma once
#include <string>
#include <vector>

#include "report/json.h"
#include "run/program.h"
#include "trace/input.h"

namespace plait {

/// "7", "-1"
std::string input_value(const InputVariable& input);
/// A whole input as it is called and shown: the bytes of an argument or of an array of characters are one text.
struct NamedValue {
  std::string name, value;
};
std::vector<NamedValue> named_values(const std::vector<InputVariable>& inputs);
/// "x = 7, argv[1] = "ab""; the second of a name is "y#2", those of other threads say whose they are.
std::string inputs_text(const std::vector<InputVariable>& inputs);

/// Of inputs that were explored: parts of one object are told once.
std::string explored_names(const std::vector<std::string>& names);

Json outside_to_json(const OutsideInputs& outside);
OutsideInputs outside_from_json(const Json& json);

Json inputs_to_json(const std::vector<InputVariable>& inputs);
/// Throws what the JSON library throws, or std::runtime_error.
std::vector<InputVariable> inputs_from_json(const Json& json);

}  // namespace plait

// The profile of a run for its page.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace plimsoll {

// From the text of a profile.json, which may hold anything: the step, the machine, and rows of
// operations and of layers, each [operation, layer, calls, seconds, operations, bytes], the longest
// first. {"missing": why} where it is damaged.
nlohmann::ordered_json profile_json(const std::string& text);

}  // namespace plimsoll

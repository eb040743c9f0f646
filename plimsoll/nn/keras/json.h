// The JSON of configs: keys stay in the order in which they were written.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace plimsoll {

using Json = nlohmann::ordered_json;

}  // namespace plimsoll

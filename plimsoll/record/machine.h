// The machine that a run is on, in words for people.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace plimsoll {

// {"system": "Linux 6.1.0 x86_64", "processor": "…", "cores": 8, "memory_bytes": …}. What is not
// known is left out.
nlohmann::ordered_json machine_json();

}  // namespace plimsoll

// A diagnosis as JSON: what the doctor prints, and what the log of a run keeps.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "plimsoll/guards/doctor/diagnosis.h"

namespace plimsoll {

// {"cause", "severity", "confidence", "where", "what", "evidence", "remedy", "option"}
nlohmann::ordered_json json_of(const DiagnosedCause& cause);
// {"verdict", "findings", "skill"}
nlohmann::ordered_json json_of(const Diagnosis& diagnosis);

}  // namespace plimsoll

// A diagnosis as a command prints it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "plimsoll/guards/doctor/diagnosis.h"

namespace plimsoll::cli {

// {"cause", "severity", "confidence", "where", "what", "evidence", "remedy", "option"}
nlohmann::ordered_json json_of(const DiagnosedCause& cause);
// {"verdict", "findings", "skill"}
nlohmann::ordered_json json_of(const Diagnosis& diagnosis);

// "poor: 4% of the way from a constant answer to a perfect one was made"
std::string verdict_text(const Diagnosis& diagnosis);
// With the causes below it.
std::string text_of(const Diagnosis& diagnosis);

}  // namespace plimsoll::cli

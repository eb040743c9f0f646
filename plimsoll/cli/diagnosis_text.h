// A diagnosis as a command prints it.
#pragma once

#include <string>

#include "plimsoll/guards/doctor/diagnosis.h"

namespace plimsoll::cli {

// "poor: 4% of the way from a constant answer to a perfect one was made"
std::string verdict_text(const Diagnosis& diagnosis);
// With the causes below it.
std::string text_of(const Diagnosis& diagnosis);

}  // namespace plimsoll::cli

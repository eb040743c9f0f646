// What a model has against data that was checked.
#pragma once

#include <string>

#include "plimsoll/data/check/check_report.h"
#include "plimsoll/train/data/model_fields.h"

namespace plimsoll {

// Adds what is wrong with the data as a whole: targets of another shape than the loss takes are
// bad, `path` the name of the data; inputs of another scale than the first layers are made for and
// targets that are no probabilities where the loss expects them are warnings.
void check_against_model(const Model& model, const std::string& path, CheckReport& report);

}  // namespace plimsoll

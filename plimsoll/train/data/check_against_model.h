// Checks data against the model that is to be trained on it.
#pragma once

#include <string>

#include "plimsoll/data/check/check_report.h"
#include "plimsoll/train/data/model_fields.h"

namespace plimsoll {

// Adds to the report what is wrong with the data as a whole. Targets of another shape than the loss
// takes are a bad entry, under the name `path`. Inputs of another scale than the first layers are
// made for, and targets that are no probabilities where the loss expects them, are warnings.
void check_against_model(const Model& model, const std::string& path, CheckReport& report);

}  // namespace plimsoll

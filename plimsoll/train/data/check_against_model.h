// What a model expects of its data, for check_records.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/data/check/check_options.h"
#include "plimsoll/data/check/check_report.h"
#include "plimsoll/train/model.h"

namespace plimsoll {

// What each field of data that was opened for the model should be: the labels by its losses, the
// numbers that an Embedding has rows for.
std::vector<FieldToCheck> fields_to_check(const Model& model, const Dataset& data);

// The data with every record checked as it is read: a label or an Embedding's number that has no
// place in the model is an error that names the record.
Dataset with_checked_numbers(const Model& model, Dataset data);

// Adds what is wrong with the data as a whole: targets of another shape than the loss takes are
// bad, `path` the name of the data; inputs of another scale than the first layers are made for and
// targets that are no probabilities where the loss expects them are warnings.
void check_against_model(const Model& model, const std::string& path, CheckReport& report);

}  // namespace plimsoll

// What a model expects of the fields of its data.
#pragma once

#include <vector>

#include "plimsoll/data/check/check_options.h"
#include "plimsoll/train/model.h"

namespace plimsoll {

// One for each output; undefined if it is not trained or the model is not compiled.
std::vector<Loss> losses_of(const Model& model);

// True if the loss of the only output says that it gives logits, not probabilities.
bool gives_logits(const Model& model);

// What each field of the model's data should be: the labels by its losses, the numbers that an
// Embedding has rows for. InvalidArgument where the data lacks fields of the model.
std::vector<FieldToCheck> fields_to_check(const Model& model, const Dataset& data);

}  // namespace plimsoll

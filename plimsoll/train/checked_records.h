// The records of a model's data, checked as they are read.
#pragma once

#include "plimsoll/train/data/dataset.h"
#include "plimsoll/train/data/reading_options.h"
#include "plimsoll/train/steps/model_steps.h"

namespace plimsoll {

// The data as fit and evaluate read it. A record with a label or a word that the model has no place
// for, or with NaN or infinity unless `reading` allows them, is an error that names it: a bad
// record, which the loader may skip. Where `reading` has values for a repair, they replace NaN and
// infinity before. A Sequential that has seen no input yet is built.
Dataset checked_records(ModelSteps& steps, const Dataset& data, const ReadingOptions& reading);

// The same for predict, which reads the inputs alone.
Dataset checked_inputs(ModelSteps& steps, const Dataset& data, const ReadingOptions& reading);

}  // namespace plimsoll

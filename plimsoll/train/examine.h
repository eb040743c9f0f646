// What the doctor knows about a model and its data before it is trained.
#pragma once

#include "plimsoll/guards/doctor/case.h"
#include "plimsoll/train/data/dataset.h"
#include "plimsoll/train/data/reading_options.h"
#include "plimsoll/train/steps/model_steps.h"

namespace plimsoll {

// The data may be empty. A Sequential that has seen no input yet is built.
TrainingCase examine(const Network& network, ModelSteps& steps, const Dataset& data,
                     const ReadingOptions& reading);

}  // namespace plimsoll

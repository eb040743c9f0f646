// Data to train on, and data to measure the model on.
#pragma once

#include "plimsoll/train/data/dataset.h"

namespace plimsoll {

struct TrainingData {
  Dataset train;
  Dataset validation = {};  // without a source where there is none
};

// The last part of the data is the validation, as Keras's validation_split; 0: there is none.
// Records in between that share data with the training part (Source::overlap) are in neither.
// InvalidArgument where one of them would be empty, and for data in buckets or of a stream.
TrainingData split_last(const Dataset& data, double fraction);

}  // namespace plimsoll

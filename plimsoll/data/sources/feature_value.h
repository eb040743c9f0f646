// A feature of tf.train.Example as a field of a record.
#pragma once

#include <string>

#include "plimsoll/data/sources/feature_field.h"
#include "plimsoll/formats/tensorflow/tf_example.h"

namespace plimsoll {

// What reading gives. InvalidArgument where the field says what cannot be.
Spec spec_of(const FeatureField& field);

// Writes the feature, of kind none where the record has not got it. `name`, the record's, begins
// an error: CorruptFile where it is not what the field says.
void write_feature(const FeatureField& field, const TfFeature& feature, const std::string& name,
                   std::byte* into);

}  // namespace plimsoll

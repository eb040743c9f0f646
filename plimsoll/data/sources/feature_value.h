// A feature of tf.train.Example as a field of a record.
#pragma once

#include <string>

#include "plimsoll/data/sources/feature_field.h"
#include "plimsoll/formats/tensorflow/tf_example.h"

namespace plimsoll {

// The spec of what reading gives. InvalidArgument where the field contradicts itself.
Spec spec_of(const FeatureField& field);

// Writes the feature, whose kind is none if the record lacks it. CorruptFile, beginning with
// `name` (the record's), where it is not what the field says.
void write_feature(const FeatureField& field, const TfFeature& feature, const std::string& name,
                   std::byte* into);

}  // namespace plimsoll

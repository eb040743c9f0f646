// A field of the records in TFRecord files, and the feature of tf.train.Example that it is read
// from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plimsoll/data/images/encoded_image.h"
#include "plimsoll/formats/bytes/stored_numbers.h"
#include "plimsoll/tensor/spec.h"

namespace plimsoll {

// A field of the records and the feature that it is read from, as tf.io.FixedLenFeature says it.
struct FeatureField {
  std::string name;  // of the feature
  DType dtype = DType::float32;
  Shape shape = {};
  // Every number of a feature that a record lacks; none: a record without it is an error.
  std::optional<double> default_value = {};
  // A feature of fewer numbers than the shape has is filled up with default_value, or 0.
  bool is_padded = false;
  // How bytes are read; a feature of numbers needs neither.
  std::optional<StoredType> raw = {};  // consecutive numbers, as tf.io.decode_raw
  std::optional<EncodedImage> image = {};
};

// Inputs first, then targets.
using FeatureSpec = std::vector<FeatureField>;

}  // namespace plimsoll

// Records from TFRecord files of tf.train.Example, read as they are asked for: an index of eight
// bytes a record is all that stands in memory, and reading one is one read of the file.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/data/source.h"
#include "plimsoll/formats/bytes/stored_numbers.h"
#include "plimsoll/formats/images/image.h"
#include "plimsoll/formats/tensorflow/tfrecord.h"

namespace plimsoll {

// An encoded image in a feature of bytes; the field is float32 (height, width, channels), 0 to 255,
// resized as image_folder does.
struct EncodedImage {
  std::array<int64_t, 2> image_size = {256, 256};
  ColorMode color_mode = ColorMode::rgb;
  ImageLimits limits = {};
};

// A field of the records and the feature that it is read from, as tf.io.FixedLenFeature says it.
struct FeatureField {
  std::string name;  // of the feature
  DType dtype = DType::float32;
  Shape shape = {};
  // Stands for every number of a feature that a record has not; none: that is an error.
  std::optional<double> default_value = {};
  // A feature of fewer numbers than the shape has is filled up with default_value, or 0.
  bool is_padded = false;
  // How bytes are read; a feature of numbers needs neither.
  std::optional<StoredType> raw = {};  // numbers one behind the other, as tf.io.decode_raw
  std::optional<EncodedImage> image = {};
};

// Inputs first, then targets.
using FeatureSpec = std::vector<FeatureField>;

// The files in their order. Integers may become any dtype that holds them (float32 rounds them);
// floats and raw numbers of floating point become float32. Opening reads lengths alone. CorruptFile
// or InvalidArgument, naming file, record and feature, where reading finds a feature damaged,
// missing, or of another kind or length.
SourcePtr tfrecord_source(const std::vector<std::string>& paths, const FeatureSpec& features,
                          const TfRecordLimits& limits = {});

}  // namespace plimsoll

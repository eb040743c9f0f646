// Records from TFRecord files of tf.train.Example, read as they are asked for. Only an index of
// eight bytes per record is kept in memory, and reading a record is one read of the file.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/data/source.h"
#include "plimsoll/data/sources/feature_field.h"
#include "plimsoll/formats/tensorflow/tfrecord.h"

namespace plimsoll {

// The files in their order. Integers may become any dtype that holds them (float32 rounds them);
// floats and raw numbers of floating point become float32. Opening reads lengths alone. CorruptFile
// or InvalidArgument, naming file, record and feature, where reading finds a feature damaged,
// missing, or of another kind or length.
SourcePtr tfrecord_source(const std::vector<std::string>& paths, const FeatureSpec& features,
                          const TfRecordLimits& limits = {});

}  // namespace plimsoll

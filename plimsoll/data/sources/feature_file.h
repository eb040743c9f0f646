// The features of TFRecord files as a person writes them down, in JSON.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/data/sources/tfrecord_source.h"

namespace plimsoll {

struct NamedFeature {
  FeatureField field;
  // What the field is called where data is matched with a model: the feature's own name unless the
  // file says another.
  std::string name;
  // What the file says; what it does not may be known from the model.
  bool has_dtype = false, has_shape = false, has_image_size = false, has_color_mode = false;
};

// An object with a member for each feature, in the order of the fields; {"label": {"dtype":
// "int64"}}. docs/data.md has the keys. CorruptFile, naming file and feature, where there is
// another key, or a value is not what it should be.
std::vector<NamedFeature> read_feature_file(const std::string& path);

// Reads "uint8", "float16" and the like, little-endian. InvalidArgument for anything else.
StoredType stored_type(const std::string& name);

}  // namespace plimsoll

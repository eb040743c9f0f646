// The rows of the layer list, with one file per family of layers, and what those files share.
#pragma once

#include <vector>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/layer_kind.h"

namespace plimsoll {

using LayerRows = std::vector<LayerKind>;

LayerRows attention_layer_rows();
LayerRows augmentation_layer_rows();
LayerRows elementwise_layer_rows();
LayerRows image_layer_rows();
LayerRows inference_only_layer_rows();
LayerRows preprocessing_layer_rows();
LayerRows recurrent_layer_rows();
LayerRows volume_layer_rows();

template <class Kind>
Layer with_defaults() {
  return Kind();
}

// Reads the name and the trainable flag, which every layer has, and what the kind adds.
template <class Kind, class Options>
Layer from_config(Fields& fields) {
  Options options;
  fields.with("name", options.name).with("trainable", options.trainable);
  describe(fields, options);
  return Kind(options);
}

}  // namespace plimsoll

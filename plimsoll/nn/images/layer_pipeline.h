// LayerPipeline, which is Pipeline in Keras: layers one after another, as one layer.
#pragma once

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct LayerPipelineOptions {
  Layers layers = {};
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, LayerPipelineOptions& options);
struct LayerPipeline : Layer {
  explicit LayerPipeline(const LayerPipelineOptions& options = {});
};

}  // namespace plimsoll

// Input: the beginning of a functional model. Its tensor has no value and is never evaluated.
#pragma once

#include <optional>
#include <string>

#include "plimsoll/graph/place.h"
#include "plimsoll/nn/networks/network.h"

namespace plimsoll {

struct InputOptions {
  Shape shape = {};  // without the batch; kUnknown where a call decides
  std::optional<int64_t> batch_size = {};
  DType dtype = DType::float32;
  std::string name = {};
};

Tensor Input(const InputOptions& options = {}, Place where = Place::here());

// The layer that an Input is recorded as. It may also be the first layer of a Sequential.
struct InputLayer : Layer {
  explicit InputLayer(const InputOptions& options = {});
};

// The symbolic tensor of an InputLayer.
Tensor input_of(const Layer& layer, Place where = Place::here());

// The input that `body` is; null for any other layer.
const Port* as_input(const LayerBody& body);

}  // namespace plimsoll

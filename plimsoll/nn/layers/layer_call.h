// LayerCall: the op that represents a layer called on symbolic tensors. It exists only in the
// definition of a functional model, which calls the layer whenever the model is called.
#pragma once

#include <memory>

#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

class LayerCall final : public Op {
 public:
  // `options` without its tensors, which are edges of the node: the inputs, then the mask, the
  // attention mask and the initial state, where they are given.
  LayerCall(std::shared_ptr<LayerBody> layer, const CallOptions& options);

  std::string_view name() const override { return "layer_call"; }
  void describe(Attributes& to) const override;
  // Calls the layer on placeholders, which builds it, to learn the specs of its outputs.
  Specs infer(std::span<const Spec> in) const override;
  // Both throw: a definition is never run.
  KernelPtr kernel(const KernelRequest& request) const override;
  Arrays reference(std::span<const Array> in) const override;

  const std::shared_ptr<LayerBody>& layer() const { return layer_; }

  // The tensors of the node's edges, by their roles.
  struct Arguments {
    Tensors inputs;
    CallOptions options;
  };
  Arguments arguments(const Tensors& edges) const;

 private:
  std::shared_ptr<LayerBody> layer_;
  CallOptions options_;  // without tensors
  bool has_mask_, has_attention_mask_;
  size_t state_count_;
};

bool is_symbolic(const Tensors& tensors);

// Records the call; errors are the layer's own.
Tensors record_call(const std::shared_ptr<LayerBody>& layer, const Tensors& inputs,
                    const CallOptions& options, Place where);

// The layer call of the node; null for any other node.
const LayerCall* as_layer_call(const Node& node);
// The layer that the node calls; null for any other node.
std::shared_ptr<LayerBody> called_layer(const Node& node);

}  // namespace plimsoll

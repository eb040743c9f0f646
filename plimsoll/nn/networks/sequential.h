// SequentialBody: layers one after another. It is built from the InputLayer that comes first, or by
// its first call.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/nn/networks/network.h"

namespace plimsoll {

class SequentialBody final : public Network {
 public:
  explicit SequentialBody(const Layers& layers = {}, std::string name = "");

  void add(const Layer& layer);
  // Removes the last layer.
  void pop();

  std::string_view class_name() const override { return "Sequential"; }
  void build(const Specs& inputs) override;
  Tensors call(const Tensors& inputs, const CallContext& context) override;
  std::vector<Child> children() const override { return numbered_children(layers_); }

  Ports inputs() const override;
  Ports outputs() const override;
  std::vector<Row> rows() const override;

 private:
  void append(const Layer& layer);
  // Builds the layers that are not built yet, if the input is known.
  void build_from_input();
  // The output of each layer for an input whose unknown dimensions are `stand_in`.
  Tensors trace(int64_t stand_in) const;

  std::vector<std::shared_ptr<LayerBody>> layers_;  // without the InputLayer
  std::optional<Port> input_;
  bool declared_ = false;  // the input is checked and cast; one learnt from a call is not
};

}  // namespace plimsoll

// FunctionalBody: the network between symbolic inputs and outputs, with shared layers, branches,
// many inputs and outputs. A call replays the definition on the inputs it is given.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plimsoll/nn/network.h"

namespace plimsoll {

class FunctionalBody final : public Network {
 public:
  // Inputs are tensors made by Input(). InvalidArgument where an output depends on none of them, or
  // on an Input() that is not among them.
  FunctionalBody(const Tensors& inputs, const Tensors& outputs, std::string name = "");

  std::string_view class_name() const override { return "Functional"; }
  Tensors call(const Tensors& inputs, const CallOptions& options) override;
  // Keras's order: farthest from the outputs first.
  std::vector<std::shared_ptr<LayerBody>> children() const override { return layers_; }

  Ports inputs() const override { return input_ports_; }
  Ports outputs() const override { return output_ports_; }
  std::vector<Row> rows() const override;

 private:
  struct Step;  // one node of the definition and where its inputs come from
  void define(const Tensors& inputs, const Tensors& outputs);
  void refuse_stray_inputs(const Tensors& outputs) const;
  std::vector<Tensors> trace(int64_t stand_in) const;
  std::vector<Tensors> replay(const Tensors& inputs, const CallOptions& options) const;
  int step_of(const Node& node) const;

  std::vector<NodePtr> steps_;  // symbolic nodes, each after its inputs
  std::vector<Value> inputs_, outputs_;
  std::vector<std::shared_ptr<LayerBody>> layers_;
  Ports input_ports_, output_ports_;
};

}  // namespace plimsoll

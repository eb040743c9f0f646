// FunctionalBody: the network between symbolic inputs and outputs, with shared layers, branches,
// many inputs and outputs. A call replays the definition on the inputs it is given.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "plimsoll/nn/networks/network.h"

namespace plimsoll {

class FunctionalBody final : public Network {
 public:
  // Inputs are tensors made by Input(). InvalidArgument if an output depends on none of them, or
  // on an Input() that is not among them.
  FunctionalBody(const Tensors& inputs, const Tensors& outputs, std::string name = "");

  std::string_view class_name() const override { return "Functional"; }
  int input_count() const override { return 0; }  // conform() counts
  Tensors call(const Tensors& inputs, const CallContext& context) override;
  // Keras's order: farthest from the outputs first.
  std::vector<Child> children() const override { return numbered_children(layers_); }

  // How a Keras program passes the inputs and takes the outputs: one tensor, a list, or by name.
  struct Structure {
    enum class Kind { one, list, names } kind = Kind::one;
    std::vector<std::string> keys = {};  // of `names`
  };
  void set_structure(Structure inputs, Structure outputs);
  // The `training` of a layer's call is kept but has no effect; the `training` of the model's call
  // decides. Keras does the same: it writes one for most calls, whether or not the program gave one
  // (true for augmentation).
  void let_training_be_noted_only() { heeds_training_ = false; }
  const Structure& input_structure() const { return input_structure_; }
  const Structure& output_structure() const { return output_structure_; }

  Ports inputs() const override { return input_ports_; }
  Ports outputs() const override { return output_ports_; }
  std::vector<Row> rows() const override;

  // The source of a step's input: an earlier step's output, or a value outside the definition.
  struct Source {
    int step = -1;
    int output = 0;
    Value outside = {};
  };
  struct Step {
    NodePtr node;
    std::shared_ptr<LayerBody> layer;  // null: the node's op is recorded again
    std::vector<Source> sources = {};
    std::string name = {};
  };
  // The definition: the inputs, then each after its sources.
  const std::vector<Step>& steps() const { return steps_; }
  const std::vector<Source>& output_sources() const { return outputs_; }
  // The specs of each step's outputs; dimensions may be kUnknown.
  std::vector<Specs> step_specs() const;

 private:
  void add_input(const Tensor& input);
  void add_step(const NodePtr& node);
  void refuse_stray(const Node& node) const;
  std::string name_of_step(const Step& step) const;
  // The most steps from each step to an output.
  std::vector<int> depths() const;
  // Every step that an output needs, in the order in which a walk from the outputs meets them.
  std::vector<int> walk() const;
  void order_layers();
  void name_outputs();
  Source source_of(const Value& value) const;
  Tensors call_layer(const Step& step, const Tensors& edges, std::optional<bool> is_training) const;
  // The outputs of every step. Without `is_training` only their shapes are wanted, and no layer
  // trains, whatever its call says, because training might assign statistics.
  std::vector<Tensors> replay(const Tensors& inputs, std::optional<bool> is_training) const;
  std::vector<Tensors> trace(int64_t stand_in) const;

  std::vector<Step> steps_;  // the inputs, then each after its sources
  std::unordered_map<const Node*, int> step_of_;
  std::vector<Source> outputs_;
  std::vector<std::shared_ptr<LayerBody>> layers_;
  Ports input_ports_, output_ports_;
  Structure input_structure_, output_structure_;
  bool heeds_training_ = true;  // of a call
};

}  // namespace plimsoll

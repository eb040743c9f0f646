// Operations: what Keras saves where a functional model computes with keras.ops or plain operators
// (x + 3.0) instead of a layer. Each is a class of keras.src.ops with settings, called once, with
// tensors and with values beside them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/nn/keras/json.h"
#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct OperationKind;

class OperationBody final : public LayerBody {
 public:
  // `object` is {"module", "class_name", "config"}, `node` the arguments as node_template() has
  // them. InvalidArgument lists the operations that are known.
  OperationBody(const Json& object, const Json& node, std::string name);
  ~OperationBody() override;

  std::string_view class_name() const override;
  RangeEffect range_effect() const override;
  int input_count() const override { return input_count_; }
  Tensors call(const Tensors& inputs, const CallContext& context) override;

  // {"module", "class_name", "config", "registered_name"}, as it was read.
  Json to_json() const;
  // {"args": […], "kwargs": {…}} of its call, with {"__tensor__": i} in place of input i.
  Json node_template() const;

 private:
  const OperationKind* kind_;
  std::unique_ptr<const Json> object_, node_;
  int input_count_;
};

// True if a class of that module is an operation, not a layer, whether or not it is known here.
bool is_operation(const std::string& module, const std::string& class_name);

// `layer_json` is an entry of a functional model's layers, `node` one of its inbound_nodes
// ({"args", "kwargs"}), whose tensors ({"class_name": "__keras_tensor__", …}, perhaps in lists)
// are the body's inputs in the order of reading.
Layer operation_from_json(const Json& layer_json, const Json& node);

// Null if the layer is not an operation.
const OperationBody* as_operation(const LayerBody& layer);

// The operation that says what a node of a C++ program's functional model does: a + b, relu(x).
// Its inputs are the node's symbolic inputs in order; constants are among its arguments. None where
// Keras has no counterpart.
std::optional<Layer> operation_of(const Op& op, const Node& node);

}  // namespace plimsoll

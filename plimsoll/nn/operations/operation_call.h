// OperationCall: the settings of an operation, by Keras's names, and its arguments, by position.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/graph/tensor.h"
#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/keras/json.h"

namespace plimsoll {

class OperationCall {
 public:
  // `names` are the parameters of the class's call() in Keras; `node` has {"__tensor__": i} in
  // place of inputs[i]. All must outlive the call.
  OperationCall(const Json& config, const Json& node, const std::vector<const char*>& names,
                const Tensors& inputs, const std::string& owner);

  // The settings. A setting that was not read is refused when the call is over.
  Fields& settings() { return settings_; }

  // Argument i as it was given; null if it was not.
  const Json& argument(int i) const { return *arguments_[static_cast<size_t>(i)]; }
  bool has(int i) const;
  int argument_count() const { return static_cast<int>(arguments_.size()); }
  bool argument_is_number(int i) const;
  double number(int i) const;
  // A tensor of the graph or a constant; a number is a scalar.
  Tensor tensor(int i) const;
  // The same, integers and booleans as float32.
  Tensor float_tensor(int i) const;
  // A list of tensors, or one.
  Tensors tensors(int i) const;
  // The arguments cast to the dtype that Keras's rules give their result: Python's numbers give
  // way to tensors unless they are of a larger kind.
  Tensors promoted(std::initializer_list<int> arguments) const;

 private:
  Tensor read_tensor(const Json& json) const;

  Fields settings_;
  std::vector<const Json*> arguments_;
  const Tensors& inputs_;
};

// The dtype by Keras's name; those that have none here (float16, int8, …) are the next larger, or
// float32. InvalidArgument for what is no dtype.
DType dtype_named(const std::string& name, const Fields& fields);

Tensor to_dtype(const Tensor& x, DType dtype);

// `size` places of x along the axis, from `begin` on.
Tensor part_of(const Tensor& x, int axis, int64_t begin, int64_t size);

// The tensors cast to the dtype of the largest kind among them.
Tensors promoted(const Tensors& tensors);

}  // namespace plimsoll

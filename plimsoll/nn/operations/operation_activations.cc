#include "plimsoll/nn/operations/operation_activations.h"

#include "plimsoll/ops/elementwise/activations.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

double number(OperationCall& call, const char* key, double fallback) {
  call.settings().with(key, fallback);
  return fallback;
}

// Along one axis, or over all elements where the axis is null.
Tensors along_axis(Tensor (*function)(const Operand&, int), OperationCall& call) {
  std::optional<int64_t> axis = -1;
  call.settings().with("axis", axis);
  const Tensor x = call.float_tensor(0);
  if (axis) return {function(x, static_cast<int>(*axis))};
  return {reshape(function(reshape(x, {-1}), -1), x.shape())};
}

}  // namespace

Tensors run_celu(OperationCall& call) {
  return {celu(call.float_tensor(0), number(call, "alpha", 1))};
}
Tensors run_elu(OperationCall& call) {
  return {elu(call.float_tensor(0), number(call, "alpha", 1))};
}
Tensors run_gelu(OperationCall& call) {
  bool approximate = true;
  call.settings().with("approximate", approximate);
  return {gelu(call.float_tensor(0), approximate)};
}
Tensors run_glu(OperationCall& call) {
  return along_axis(glu, call);
}
Tensors run_hard_shrink(OperationCall& call) {
  return {hard_shrink(call.float_tensor(0), number(call, "threshold", 0.5))};
}
Tensors run_leaky_relu(OperationCall& call) {
  return {leaky_relu(call.float_tensor(0), number(call, "negative_slope", 0.2))};
}
Tensors run_log_softmax(OperationCall& call) {
  return along_axis(log_softmax, call);
}
Tensors run_relu(OperationCall& call) {
  ReluOptions options;
  call.settings()
      .with("negative_slope", options.negative_slope)
      .with("max_value", options.max_value)
      .with("threshold", options.threshold);
  return {relu(call.float_tensor(0), options)};
}
Tensors run_soft_shrink(OperationCall& call) {
  return {soft_shrink(call.float_tensor(0), number(call, "threshold", 0.5))};
}
Tensors run_softmax(OperationCall& call) {
  return along_axis(softmax, call);
}
Tensors run_sparsemax(OperationCall& call) {
  return along_axis(sparsemax, call);
}
Tensors run_squareplus(OperationCall& call) {
  return {squareplus(call.float_tensor(0), number(call, "b", 4))};
}
Tensors run_threshold(OperationCall& call) {
  const double at = number(call, "threshold", 0);
  return {threshold(call.float_tensor(0), at, number(call, "default_value", 0))};
}

}  // namespace plimsoll

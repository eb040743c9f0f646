#include "plimsoll/nn/operation_list.h"

#include <algorithm>

#include "plimsoll/ops/activations.h"
#include "plimsoll/ops/elementwise.h"

namespace plimsoll {
namespace {

template <Tensor (*function)(const Operand&)>
Tensors of_float(OperationCall& call) {
  return {function(call.float_tensor(0))};
}

template <Tensor (*function)(const Operand&, const Operand&)>
Tensors of_two(OperationCall& call) {
  const Tensors x = call.promoted({0, 1});
  return {function(x[0], x[1])};
}

const std::vector<OperationKind>& kinds() {
  static const std::vector<const char*> x = {"x"}, two = {"x1", "x2"};
  static const std::vector<OperationKind> rows = {
      {"Add", two, of_two<add>},           {"Multiply", two, of_two<multiply>},
      {"Relu", x, of_float<relu>},         {"Sigmoid", x, of_float<sigmoid>},
      {"Subtract", two, of_two<subtract>}, {"Tanh", x, of_float<tanh>},
  };
  return rows;
}

}  // namespace

std::span<const OperationKind> operation_list() {
  return kinds();
}

const OperationKind* find_operation(std::string_view class_name) {
  const auto found = std::ranges::find(operation_list(), class_name, &OperationKind::class_name);
  return found == operation_list().end() ? nullptr : &*found;
}

}  // namespace plimsoll

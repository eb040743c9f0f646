// One call that checks everything an op promises on given inputs: attributes, shapes, kernels in
// every layout and in place, gradients, pruned forms, and its row in the op list.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/graph/op.h"

namespace plimsoll::testing {

struct OpCase {
  std::string title;
  OpPtr op;
  Specs inputs = {};
  // From where values are drawn, one an input, both ends included; those left out are [-2, 2]
  // ([0, 4] for unsigned and bool, where anything but 0 is true).
  std::vector<std::pair<double, double>> ranges = {};
  // The values of input i where they are not to be drawn; empty: drawn.
  std::vector<std::vector<double>> values = {};
  // > 0: float inputs are drawn together at least this far apart, and half that from 0, to keep
  // away from kinks and ties; they leave their range if it is too small for that.
  double distinct_gap = 0;
  bool check_gradient = true, check_pruned = true;
  // Inputs that no gradient flows to and outputs that none flows from, such as what an op saves.
  std::vector<int> constant_inputs = {}, saved_outputs = {};
  // How many terms are summed for an element: float32 may err by its square root.
  double reduction_length = 1;
  double tolerance_scale = 1;
};

void check_op(const OpCase& op_case);

// The op that `build` records last when it is given placeholders of these specs: for ops that only
// a function can make.
OpPtr recorded_op(const std::function<Tensor(const Tensors&)>& build, const Specs& inputs);

}  // namespace plimsoll::testing

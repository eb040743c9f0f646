// Evaluates a graph in float64 by the references of its ops: slow, obvious, and independent of
// kernels, passes, plans and the engine.
#pragma once

#include <unordered_map>

#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/graph/reference.h"

namespace plimsoll::testing {

class ReferenceInterpreter {
 public:
  // Gives a placeholder its value. Other leaves have their own.
  void set(const Tensor& placeholder, Array value);

  // Throws std::logic_error where a placeholder without a value is reached.
  const Array& evaluate(const Tensor& tensor);

 private:
  const Arrays& evaluate(const Node& node);

  std::unordered_map<const Node*, Arrays> values_;
};

}  // namespace plimsoll::testing

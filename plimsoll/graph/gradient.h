// Autodiff: a function from graph to graph.
#pragma once

#include <span>

#include "plimsoll/graph/tensor.h"
#include "plimsoll/graph/variable.h"

namespace plimsoll {

// The gradients of sum(target) with respect to each source, as new nodes; undefined where the
// target does not depend on it. `seed` replaces the ones that the target's gradient starts with.
Tensors gradients(const Tensor& target, std::span<const Tensor> sources, const Tensor& seed = {});

// What autodiff itself needs of `ops`, and is defined there.
Tensor add_gradients(const Tensor& a, const Tensor& b);
Tensor ones_like(const Tensor& x);

// Keeps the history of what is evaluated while it is open, so that gradients can be asked for
// afterwards, as with TensorFlow's tape. Where the first of them is opened the step before ends:
// its assignments are made, so that a loop that never asks for a value does not pile up steps. As
// in TensorFlow, gradients flow through what the tape's own thread recorded.
class GradientTape {
 public:
  GradientTape();
  ~GradientTape();
  GradientTape(const GradientTape&) = delete;
  GradientTape& operator=(const GradientTape&) = delete;

  Tensors gradient(const Tensor& target, std::span<const Variable> sources) const;
  Tensors gradient(const Tensor& target, std::span<const Tensor> sources) const;

  // True while a tape is open on this thread.
  static bool recording();
};

}  // namespace plimsoll

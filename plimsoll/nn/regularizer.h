// Regularizer: a penalty on a weight that is added to the loss, l1 * sum(|w|) + l2 * sum(w^2).
#pragma once

#include <string>
#include <string_view>

#include "plimsoll/graph/tensor.h"

namespace plimsoll {

class Regularizer {
 public:
  Regularizer() = default;
  // "l1", "l2" or "l1_l2" with Keras's factor of 0.01 each; "" is none.
  Regularizer(const char* name) : Regularizer(std::string_view(name)) {}
  Regularizer(const std::string& name) : Regularizer(std::string_view(name)) {}
  Regularizer(std::string_view name);
  // Factors are finite and not negative, else InvalidArgument.
  Regularizer(double l1, double l2);

  // Is there anything to add?
  explicit operator bool() const { return l1_ > 0 || l2_ > 0; }
  double l1() const { return l1_; }
  double l2() const { return l2_; }

  // A float32 scalar.
  Tensor operator()(const Tensor& weight) const;

 private:
  double l1_ = 0, l2_ = 0;
};

struct L1L2Options {
  double l1 = 0;
  double l2 = 0;
};

Regularizer L1(double l1 = 0.01);
Regularizer L2(double l2 = 0.01);
Regularizer L1L2(const L1L2Options& options = {});

}  // namespace plimsoll

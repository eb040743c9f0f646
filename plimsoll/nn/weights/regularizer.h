// Regularizer: a penalty on a weight that is added to the loss. A value made from Keras's name
// ("l2") or by one of the functions below, which are named as Keras's classes.
#pragma once

#include <string>
#include <string_view>

#include "plimsoll/graph/tensor.h"

namespace plimsoll {

class Regularizer {
 public:
  enum class Kind { none, l1, l2, l1_l2, orthogonal };

  // l1 * sum(|w|) + l2 * sum(w^2); or factor * the mean of |cosines| between rows (columns).
  struct Settings {
    Kind kind = Kind::none;
    double l1 = 0, l2 = 0;
    double factor = 0;
    std::string mode = "rows";  // or "columns"
  };

  Regularizer() = default;
  // "l1", "l2" or "l1_l2" with Keras's factor of 0.01 each, "orthogonal_regularizer"; "" is none.
  Regularizer(const char* name) : Regularizer(std::string_view(name)) {}
  Regularizer(const std::string& name) : Regularizer(std::string_view(name)) {}
  Regularizer(std::string_view name);
  // Factors are finite and not negative, else InvalidArgument.
  Regularizer(double l1, double l2);
  explicit Regularizer(const Settings& settings);

  // True if there is a penalty to add.
  explicit operator bool() const {
    return settings_.l1 > 0 || settings_.l2 > 0 || settings_.factor > 0;
  }
  double l1() const { return settings_.l1; }
  double l2() const { return settings_.l2; }
  std::string_view class_name() const;  // Keras's: "L1L2"; empty for none
  const Settings& settings() const { return settings_; }

  // A float32 scalar.
  Tensor operator()(const Tensor& weight) const;

 private:
  Settings settings_;
};

struct L1L2Options {
  double l1 = 0;
  double l2 = 0;
};
struct OrthogonalRegularizerOptions {
  double factor = 0.01;
  std::string mode = "rows";
};

Regularizer L1(double l1 = 0.01);
Regularizer L2(double l2 = 0.01);
Regularizer L1L2(const L1L2Options& options = {});
// For matrices: pushes rows (or columns) to be orthogonal.
Regularizer OrthogonalRegularizer(const OrthogonalRegularizerOptions& options = {});

}  // namespace plimsoll

// Constraint: a function that is applied to a weight after each step of an optimizer. A value made
// from Keras's name ("non_neg") or by one of the functions below, which are named as Keras's
// classes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/graph/tensor.h"

namespace plimsoll {

class Constraint {
 public:
  enum class Kind { none, max_norm, non_neg, unit_norm, min_max_norm };

  // Norms are taken over the axes; those of a Dense kernel over axis 0, say.
  struct Settings {
    Kind kind = Kind::none;
    double min_value = 0;
    double max_value = 1;
    double rate = 1;  // how far towards the bounds a norm outside of them is moved at once
    std::vector<int> axis = {0};
  };

  Constraint() = default;
  // With Keras's defaults; "" is none. InvalidArgument lists the known names.
  Constraint(const char* name) : Constraint(std::string_view(name)) {}
  Constraint(const std::string& name) : Constraint(std::string_view(name)) {}
  Constraint(std::string_view name);
  explicit Constraint(Settings settings) : settings_(std::move(settings)) {}

  explicit operator bool() const { return settings_.kind != Kind::none; }
  std::string_view class_name() const;  // Keras's: "MaxNorm"; empty for none
  const Settings& settings() const { return settings_; }

  // The weight that satisfies it.
  Tensor operator()(const Tensor& weight) const;

 private:
  Settings settings_;
};

struct MaxNormOptions {
  double max_value = 2;
  std::vector<int> axis = {0};
};
struct UnitNormOptions {
  std::vector<int> axis = {0};
};
struct MinMaxNormOptions {
  double min_value = 0;
  double max_value = 1;
  double rate = 1;
  std::vector<int> axis = {0};
};

Constraint MaxNorm(const MaxNormOptions& options = {});
Constraint NonNeg();
Constraint UnitNorm(const UnitNormOptions& options = {});
Constraint MinMaxNorm(const MinMaxNormOptions& options = {});

}  // namespace plimsoll

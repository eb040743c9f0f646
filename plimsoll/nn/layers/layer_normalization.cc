#include "plimsoll/nn/layers/layer_normalization.h"

#include <algorithm>
#include <utility>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/normalization/layer_normalize.h"
#include "plimsoll/ops/normalization/unit_normalize.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

// Counted from the start, in order.
std::vector<int> sorted_axes(std::vector<int> axes, int rank) {
  for (int& axis : axes)
    if (axis < 0) axis += rank;
  std::ranges::sort(axes);
  return axes;
}

bool are_axes(const std::vector<int>& axes, int rank) {
  const std::vector<int> sorted = sorted_axes(axes, rank);
  return !sorted.empty() && sorted.front() >= 0 && sorted.back() < rank &&
         std::ranges::adjacent_find(sorted) == sorted.end();
}

bool are_last(const std::vector<int>& sorted, int rank) {
  return sorted.front() == rank - static_cast<int>(sorted.size());
}

Shape shape_of(const Shape& x, const std::vector<int>& axes) {
  Shape shape;
  for (const int axis : axes) shape.push_back(x[axis]);
  return shape;
}

std::string listed(const std::vector<int>& axes) {
  std::string text;
  for (const int axis : axes) text += (text.empty() ? "" : ", ") + std::to_string(axis);
  return text;
}

// What the layers over some axes of a sample share.
template <class Options>
class OverAxes : public LayerOf<Options> {
 public:
  using LayerOf<Options>::LayerOf;

 protected:
  std::vector<int> axes(int rank) const { return sorted_axes(this->options_.axis, rank); }

  void check(const Specs& inputs) const override {
    const Shape& shape = inputs[0].shape;
    if (!are_axes(this->options_.axis, shape.rank()))
      this->refuse("axis (" + listed(this->options_.axis) + ") does not name different axes of " +
                   shape.to_string());
    if (this->built() && weights_.rank() > 0 && shape_of(shape, axes(shape.rank())) != weights_)
      this->refuse("expected an input whose axes (" + listed(this->options_.axis) +
                   ") are of the sizes " + weights_.to_string() + ", found " + shape.to_string());
  }

  Shape weights_;  // the shape of the weights, once built
};

class LayerNormalizationBody final : public OverAxes<LayerNormalizationOptions> {
 public:
  using OverAxes::OverAxes;
  std::string_view class_name() const override { return "LayerNormalization"; }
  bool supports_masking() const override { return true; }

  void build(const Specs& inputs) override {
    weights_ = shape_of(inputs[0].shape, axes(inputs[0].shape.rank()));
    if (options_.scale || options_.rms_scaling)
      gamma_ = add_weight({.name = "gamma",
                           .shape = weights_,
                           .initializer = options_.gamma_initializer,
                           .regularizer = options_.gamma_regularizer,
                           .constraint = options_.gamma_constraint});
    if (options_.center && !options_.rms_scaling)
      beta_ = add_weight({.name = "beta",
                          .shape = weights_,
                          .initializer = options_.beta_initializer,
                          .regularizer = options_.beta_regularizer,
                          .constraint = options_.beta_constraint});
  }

  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Tensor x = as_float(inputs[0]);
    const std::vector<int> over = axes(x.rank());
    if (options_.rms_scaling) return {divided_by_deviation(x, over)};
    if (are_last(over, x.rank())) return {normalized(x)};
    std::vector<int> there, back(static_cast<size_t>(x.rank()));
    for (int i = 0; i < x.rank(); ++i)
      if (!std::ranges::binary_search(over, i)) there.push_back(i);
    there.insert(there.end(), over.begin(), over.end());
    for (size_t i = 0; i < there.size(); ++i)
      back[static_cast<size_t>(there[i])] = static_cast<int>(i);
    return {transpose(normalized(transpose(x, there)), back)};
  }

 private:
  static Tensor value_of(const Variable& weight) {
    return weight.defined() ? weight.value() : Tensor();
  }

  Tensor normalized(const Tensor& x) const {
    return layer_normalize(
        x, value_of(gamma_), value_of(beta_),
        {.epsilon = options_.epsilon, .axes = static_cast<int>(options_.axis.size())});
  }

  Tensor divided_by_deviation(const Tensor& x, const std::vector<int>& over) const {
    const Tensor variance = mean(square(x - mean(x, over, true)), over, true);
    Shape broadcast;
    for (int i = 0; i < x.rank(); ++i)
      broadcast.push_back(std::ranges::binary_search(over, i) ? x.shape()[i] : 1);
    return x * rsqrt(variance + options_.epsilon) * reshape(gamma_, broadcast);
  }

  Variable gamma_, beta_;  // undefined: 1 and 0
};

class RMSNormalizationBody final : public OverAxes<RMSNormalizationOptions> {
 public:
  using OverAxes::OverAxes;
  std::string_view class_name() const override { return "RMSNormalization"; }

  void build(const Specs& inputs) override {
    weights_ = shape_of(inputs[0].shape, axes(inputs[0].shape.rank()));
    scale_ = add_weight({.name = "scale", .shape = weights_, .initializer = "ones"});
  }

  Tensors call(const Tensors& inputs, const CallContext&) override {
    return {layer_normalize(as_float(inputs[0]), scale_.value(), {},
                            {.epsilon = options_.epsilon,
                             .centered = false,
                             .axes = static_cast<int>(options_.axis.size())})};
  }

 protected:
  void check(const Specs& inputs) const override {
    OverAxes::check(inputs);
    const Shape& shape = inputs[0].shape;
    if (!are_last(axes(shape.rank()), shape.rank()))
      refuse("axis (" + listed(options_.axis) + ") must be the last ones of " + shape.to_string());
  }

 private:
  Variable scale_;
};

class UnitNormalizationBody final : public OverAxes<UnitNormalizationOptions> {
 public:
  using OverAxes::OverAxes;
  std::string_view class_name() const override { return "UnitNormalization"; }
  bool supports_masking() const override { return true; }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    return {unit_normalize(as_float(inputs[0]), options_.axis, 1e-12)};
  }
};

}  // namespace

void describe(Fields& fields, LayerNormalizationOptions& options) {
  fields.with("axis", options.axis)
      .with("epsilon", options.epsilon)
      .with("center", options.center)
      .with("scale", options.scale)
      .with("rms_scaling", options.rms_scaling)
      .with("beta_initializer", options.beta_initializer)
      .with("gamma_initializer", options.gamma_initializer)
      .with("beta_regularizer", options.beta_regularizer)
      .with("gamma_regularizer", options.gamma_regularizer)
      .with("beta_constraint", options.beta_constraint)
      .with("gamma_constraint", options.gamma_constraint);
}

void describe(Fields& fields, RMSNormalizationOptions& options) {
  fields.with("axis", options.axis).with("epsilon", options.epsilon);
}

// Keras writes one axis as a number here.
void describe(Fields& fields, UnitNormalizationOptions& options) {
  if (!fields.reading() && options.axis.size() == 1)
    fields.with("axis", options.axis[0]);
  else
    fields.with("axis", options.axis);
}

LayerNormalization::LayerNormalization(const LayerNormalizationOptions& options)
    : Layer(make_layer<LayerNormalizationBody>(options)) {}

RMSNormalization::RMSNormalization(const RMSNormalizationOptions& options)
    : Layer(make_layer<RMSNormalizationBody>(options)) {}

UnitNormalization::UnitNormalization(const UnitNormalizationOptions& options)
    : Layer(make_layer<UnitNormalizationBody>(options)) {}

}  // namespace plimsoll

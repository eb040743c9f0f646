#include "plimsoll/nn/layers/normalization.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

constexpr double kSmallestDeviation = 1e-7;  // Keras's epsilon

class NormalizationBody final : public LayerOf<NormalizationOptions> {
 public:
  using LayerOf::LayerOf;

  void validate() const {
    if (options_.mean.has_value() != options_.variance.has_value())
      refuse("mean and variance must both be given, or neither");
    if (options_.mean && options_.mean->values.size() != options_.variance->values.size())
      refuse("mean and variance must have the same shape");
  }
  std::string_view class_name() const override { return "Normalization"; }
  RangeEffect range_effect() const override { return RangeEffect::normalizes(); }
  bool supports_masking() const override { return true; }

  void build(const Specs& inputs) override {
    if (options_.mean) return;
    const Shape shape = kept_shape(inputs[0].shape);
    const auto statistic = [&](const char* name, const char* initializer) {
      return add_weight(
          {.name = name, .shape = shape, .initializer = initializer, .trainable = false});
    };
    mean_ = statistic("mean", "zeros");
    variance_ = statistic("variance", "ones");
    // Keras keeps it for the sake of old files; nothing reads it.
    add_weight({.name = "count",
                .shape = {},
                .initializer = "zeros",
                .trainable = false,
                .dtype = DType::int64});
  }

  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Tensor x = as_float(inputs[0]);
    const Tensor mean = spread(options_.mean, mean_, x.shape());
    const Tensor variance = spread(options_.variance, variance_, x.shape());
    const Tensor deviation = maximum(sqrt(variance), kSmallestDeviation);
    return {options_.invert ? mean + x * deviation : (x - mean) / deviation};
  }

  void adapt(const Tensor& data) {
    if (options_.mean) refuse("has a mean and a variance already; it cannot be adapted");
    if (!built()) (*this)({data}, {});
    const Tensor x = as_float(data);
    std::vector<int> axes;
    for (int i = 0; i < x.rank(); ++i)
      if (!keeps(i, x.rank())) axes.push_back(i);
    const Tensor centre = axes.empty() ? x : ::plimsoll::mean(x, axes, true);
    const Tensor squares = square(x - centre);
    const Tensor variance = axes.empty() ? squares : ::plimsoll::mean(squares, axes, true);
    mean_.assign(reshape(centre, mean_.shape()));
    variance_.assign(reshape(variance, variance_.shape()));
    evaluate({});
  }

 protected:
  void check(const Specs& inputs) const override {
    const Shape& shape = inputs[0].shape;
    for (const int64_t axis : options_.axis)
      if (axis < -shape.rank() || axis >= shape.rank())
        refuse(fmt::format("axis {} is not one of {}", axis, shape.to_string()));
    if (built() && !options_.mean && kept_shape(shape) != mean_.shape())
      refuse("was built for features " + mean_.shape().to_string() + ", found the input " +
             shape.to_string());
  }

 private:
  bool keeps(int axis, int rank) const {
    return std::ranges::any_of(
        options_.axis, [&](int64_t kept) { return (kept < 0 ? kept + rank : kept) == axis; });
  }
  int last_kept(int rank) const {
    int last = rank - 1;
    while (last > 0 && !keeps(last, rank)) --last;
    return last;
  }
  Shape kept_shape(const Shape& shape) const {
    Shape kept;
    for (int i = 0; i < shape.rank(); ++i)
      if (keeps(i, shape.rank())) kept.push_back(shape[i]);
    return kept;
  }
  // In the shape that broadcasts to the input.
  Tensor spread(const std::optional<NumberOrList>& given, const Variable& learnt,
                const Shape& shape) const {
    if (given && !given->is_list) return scalar(given->values[0]);
    Shape broadcast;
    for (int i = 0; i < shape.rank(); ++i)
      broadcast.push_back(keeps(i, shape.rank()) ? shape[i] : 1);
    if (!given) return reshape(learnt, broadcast);
    const std::vector<float> values(given->values.begin(), given->values.end());
    const Tensor constant_values = constant(values, {std::ssize(values)});
    // Fewer numbers than elements belong to the last of the axes, or there is one for all.
    if (std::ssize(values) != broadcast.elements())
      for (int i = 0, last = last_kept(shape.rank()); i < shape.rank(); ++i)
        broadcast[i] = i == last ? std::ssize(values) : 1;
    return reshape(constant_values, broadcast);
  }

  Variable mean_, variance_;
};

}  // namespace

void describe(Fields& fields, NormalizationOptions& options) {
  if (fields.is_null("axis")) options.axis.clear();
  fields.with("axis", options.axis).with("invert", options.invert);
  tell(fields, "mean", options.mean);
  tell(fields, "variance", options.variance);
}

Normalization::Normalization(const NormalizationOptions& options)
    : Layer(make_layer<NormalizationBody>(options)) {}

void Normalization::adapt(const Tensor& data) const {
  static_cast<NormalizationBody&>(**this).adapt(data);
}

}  // namespace plimsoll

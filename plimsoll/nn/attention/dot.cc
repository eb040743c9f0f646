#include "plimsoll/nn/attention/dot.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/linear/linear.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

constexpr double kSmallestSquare = 1e-12;  // as Keras: an empty vector stays one

Tensor to_unit_length(const Tensor& x, int axis) {
  return x * rsqrt(maximum(sum(square(x), {axis}, true), kSmallestSquare));
}

// With the axis last, and those between it and the batch as one.
Tensor as_rows(const Tensor& x, int axis) {
  std::vector<int> order;
  for (int i = 0; i < x.rank(); ++i)
    if (i != axis) order.push_back(i);
  order.push_back(axis);
  const Tensor last = axis == x.rank() - 1 ? x : transpose(x, order);
  return reshape(last, {x.shape()[0], -1, x.shape()[axis]});
}

class DotBody final : public LayerOf<DotOptions> {
 public:
  using LayerOf::LayerOf;

  void validate() const {
    if (options_.axes.empty() || options_.axes.size() > 2)
      refuse(fmt::format("axes must be one number or two, found {}", options_.axes.size()));
  }
  std::string_view class_name() const override { return "Dot"; }
  int input_count() const override { return 2; }

  Tensors call(const Tensors& inputs, const CallContext&) override {
    Tensor a = as_float(inputs[0]), b = as_float(inputs[1]);
    const auto [first, second] = axes_of(a.shape(), b.shape());
    if (options_.normalize) {
      a = to_unit_length(a, first);
      b = to_unit_length(b, second);
    }
    Shape shape = a.shape().without(first);
    const Shape rest = b.shape().without(second);
    for (int i = 1; i < rest.rank(); ++i) shape.push_back(rest[i]);
    if (shape.rank() == 1) shape.push_back(1);
    const Tensor product = matmul(as_rows(a, first), as_rows(b, second), {.transpose_b = true});
    return {reshape(product, shape)};
  }

 protected:
  void check(const Specs& inputs) const override {
    const Shape &a = inputs[0].shape, &b = inputs[1].shape;
    const auto [first, second] = axes_of(a, b);
    if (first < 1 || first >= a.rank() || second < 1 || second >= b.rank())
      refuse(fmt::format("axes must come after the batch axis of {} and {}, found {} and {}",
                         a.to_string(), b.to_string(), first, second));
    if (a[first] != b[second])
      refuse(fmt::format("axis {} of {} and axis {} of {} must have the same size", first,
                         a.to_string(), second, b.to_string()));
  }

 private:
  std::pair<int, int> axes_of(const Shape& a, const Shape& b) const {
    const auto first = static_cast<int>(options_.axes.front());
    const auto second = static_cast<int>(options_.axes.back());
    return {first < 0 ? first + a.rank() : first, second < 0 ? second + b.rank() : second};
  }
};

}  // namespace

void describe(Fields& fields, DotOptions& options) {
  if (!fields.reading() && options.axes.size() == 1)
    fields.write("axes", options.axes[0]);
  else
    fields.with("axes", options.axes);
  fields.with("normalize", options.normalize);
}

Dot::Dot(const DotOptions& options) : Layer(make_layer<DotBody>(options)) {}

}  // namespace plimsoll

#include "plimsoll/nn/layers/group_normalization.h"

#include <fmt/format.h>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

class GroupNormalizationBody final : public LayerOf<GroupNormalizationOptions> {
 public:
  using LayerOf::LayerOf;

  void validate() const {
    if (options_.groups < 1 && options_.groups != -1)
      refuse(fmt::format("groups must be at least 1, or -1 for one per channel, found {}",
                         options_.groups));
  }
  std::string_view class_name() const override { return "GroupNormalization"; }
  bool supports_masking() const override { return true; }

  void build(const Specs& inputs) override {
    const Shape shape{inputs[0].shape[axis_of(inputs[0].shape)]};
    if (options_.groups == -1) options_.groups = shape[0];
    if (options_.scale)
      gamma_ = add_weight({.name = "gamma",
                           .shape = shape,
                           .initializer = options_.gamma_initializer,
                           .regularizer = options_.gamma_regularizer,
                           .constraint = options_.gamma_constraint});
    if (options_.center)
      beta_ = add_weight({.name = "beta",
                          .shape = shape,
                          .initializer = options_.beta_initializer,
                          .regularizer = options_.beta_regularizer,
                          .constraint = options_.beta_constraint});
  }

  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Tensor x = as_float(inputs[0]);
    const int axis = axis_of(x.shape());
    const int64_t size = x.shape()[axis] / options_.groups;
    const Shape grouped = with_groups(x.shape(), axis, size);
    std::vector<int> axes;
    for (int i = 1; i < grouped.rank(); ++i)
      if (i != axis) axes.push_back(i);
    const Tensor groups = reshape(x, grouped);
    const Tensor centred = groups - mean(groups, axes, true);
    Tensor y = centred * rsqrt(mean(square(centred), axes, true) + options_.epsilon);
    Shape broadcast;  // of gamma and beta: one value per channel
    for (int i = 0; i < grouped.rank(); ++i)
      broadcast.push_back(i == axis || i == axis + 1 ? grouped[i] : 1);
    if (options_.scale) y = y * reshape(gamma_, broadcast);
    if (options_.center) y = y + reshape(beta_, broadcast);
    return {reshape(y, x.shape())};
  }

 protected:
  void check(const Specs& inputs) const override {
    const Shape& shape = inputs[0].shape;
    const int axis = axis_of(shape);
    if (axis < 1 || axis >= shape.rank())
      refuse(fmt::format("axis {} is not one of the axes of {} after the batch axis", options_.axis,
                         shape.to_string()));
    if (options_.groups > 0 && shape[axis] % options_.groups != 0)
      refuse(fmt::format("{} groups do not divide the {} channels of {}", options_.groups,
                         shape[axis], shape.to_string()));
  }

 private:
  int axis_of(const Shape& shape) const {
    return static_cast<int>(options_.axis < 0 ? options_.axis + shape.rank() : options_.axis);
  }
  // The axis of channels as two: groups, and channels of a group.
  Shape with_groups(const Shape& shape, int axis, int64_t size) const {
    Shape grouped;
    for (int i = 0; i < shape.rank(); ++i) {
      if (i == axis) grouped.push_back(options_.groups);
      grouped.push_back(i == axis ? size : shape[i]);
    }
    return grouped;
  }

  Variable gamma_, beta_;
};

}  // namespace

void describe(Fields& fields, GroupNormalizationOptions& options) {
  fields.with("groups", options.groups)
      .with("axis", options.axis)
      .with("epsilon", options.epsilon)
      .with("center", options.center)
      .with("scale", options.scale)
      .with("beta_initializer", options.beta_initializer)
      .with("gamma_initializer", options.gamma_initializer)
      .with("beta_regularizer", options.beta_regularizer)
      .with("gamma_regularizer", options.gamma_regularizer)
      .with("beta_constraint", options.beta_constraint)
      .with("gamma_constraint", options.gamma_constraint);
}

GroupNormalization::GroupNormalization(const GroupNormalizationOptions& options)
    : Layer(make_layer<GroupNormalizationBody>(options)) {}

}  // namespace plimsoll

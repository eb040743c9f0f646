#include "plimsoll/nn/layers/permuting.h"

#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

class PermuteBody final : public LayerOf<PermuteOptions> {
 public:
  using LayerOf::LayerOf;

  void validate() const {
    std::vector<int64_t> sorted = options_.dims;
    std::ranges::sort(sorted);
    for (size_t i = 0; i < sorted.size(); ++i)
      if (sorted[i] != static_cast<int64_t>(i) + 1)
        refuse(fmt::format("dims must hold each of 1 to {} once", sorted.size()));
  }
  std::string_view class_name() const override { return "Permute"; }
  RangeEffect range_effect() const override { return RangeEffect::keeps(); }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    std::vector<int> order = {0};
    for (const int64_t dim : options_.dims) order.push_back(static_cast<int>(dim));
    return {transpose(inputs[0], order)};
  }

 protected:
  void check(const Specs& inputs) const override {
    if (inputs[0].shape.rank() != static_cast<int>(options_.dims.size()) + 1)
      refuse(fmt::format("dims name {} axes after the batch axis, the input is {}",
                         options_.dims.size(), inputs[0].shape.to_string()));
  }
};

class RepeatVectorBody final : public LayerOf<RepeatVectorOptions> {
 public:
  using LayerOf::LayerOf;

  void validate() const {
    if (options_.n < 1) refuse(fmt::format("n must be at least 1, found {}", options_.n));
  }
  std::string_view class_name() const override { return "RepeatVector"; }
  RangeEffect range_effect() const override { return RangeEffect::keeps(); }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Tensor& x = inputs[0];
    return {broadcast_to(expand_dims(x, 1), {x.shape()[0], options_.n, x.shape()[1]})};
  }

 protected:
  void check(const Specs& inputs) const override {
    if (inputs[0].shape.rank() != 2)
      refuse("expected an input (batch, features), found " + inputs[0].shape.to_string());
  }
};

class IdentityBody final : public LayerOf<IdentityOptions> {
 public:
  using LayerOf::LayerOf;
  std::string_view class_name() const override { return "Identity"; }
  bool supports_masking() const override { return true; }
  Tensors call(const Tensors& inputs, const CallContext&) override { return inputs; }
};

}  // namespace

void describe(Fields& fields, PermuteOptions& options) {
  fields.with("dims", options.dims);
}

void describe(Fields& fields, RepeatVectorOptions& options) {
  fields.with("n", options.n);
}

void describe(Fields&, IdentityOptions&) {}

Permute::Permute(const PermuteOptions& options) : Layer(make_layer<PermuteBody>(options)) {}
RepeatVector::RepeatVector(const RepeatVectorOptions& options)
    : Layer(make_layer<RepeatVectorBody>(options)) {}
Identity::Identity(const IdentityOptions& options) : Layer(make_layer<IdentityBody>(options)) {}

}  // namespace plimsoll

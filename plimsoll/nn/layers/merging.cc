#include "plimsoll/nn/layers/merging.h"

#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

bool all_defined(const Tensors& tensors) {
  return std::ranges::all_of(tensors, &Tensor::defined);
}

Tensor any_of(const Tensors& masks) {
  Tensor any = masks[0];
  for (size_t i = 1; i < masks.size(); ++i) any = logical_or(any, masks[i]);
  return any;
}

// The input with axes of 1 after its batch axis.
Tensor with_rank(const Tensor& x, int rank) {
  if (x.rank() == rank) return x;
  Tensor y = x;
  while (y.rank() < rank) y = expand_dims(y, 1);
  return y;
}

// Whole numbers of several types become int64; beside others they become float32.
Tensors of_one_dtype(const Tensors& inputs) {
  const auto same = [&](const Tensor& x) { return x.dtype() == inputs[0].dtype(); };
  if (std::ranges::all_of(inputs, same)) return inputs;
  const bool whole =
      std::ranges::all_of(inputs, [](const Tensor& x) { return is_integer(x.dtype()); });
  const DType dtype = whole ? DType::int64 : DType::float32;
  Tensors alike;
  for (const Tensor& x : inputs) {
    alike.push_back(x.dtype() == dtype ? x : cast(x, dtype));
    if (x.mask().defined()) alike.back().set_mask(x.mask());
  }
  return alike;
}

template <class Options>
class MergingBody : public LayerOf<Options> {
 public:
  using LayerOf<Options>::LayerOf;
  int input_count() const override { return 0; }
  bool supports_masking() const override { return true; }
  Tensors output_masks(const Tensors&, const Tensors&, const Tensors& masks) const override {
    return {all_defined(masks) ? any_of(masks) : Tensor()};
  }

 protected:
  void check(const Specs& inputs) const override {
    if (inputs.empty()) this->refuse("expected a list of tensors, found none");
  }
};

using Merge = Tensor (*)(const Operand&, const Operand&);

// The function of a kind of layer. `masked`, if given, replaces `merge` when an input has a mask.
struct FoldKind {
  std::string_view class_name;
  Merge merge;
  Tensor (*masked)(const Tensors&, Merge) = nullptr;
  bool averages = false;  // the result is divided by the number of inputs
  bool is_of_two = false;
};

Tensor fold(const Tensors& inputs, Merge merge) {
  Tensor merged = inputs[0];
  for (size_t i = 1; i < inputs.size(); ++i) merged = merge(merged, inputs[i]);
  return merged;
}

Tensor mask_of_elements(const Tensor& x) {
  return expand_dims(x.mask(), -1);
}

// Where a mask says that an input does not count, the others decide; the result is 0 if none
// counts.
Tensor multiply_masked(const Tensors& inputs, Merge) {
  Tensors factors, masks;
  for (const Tensor& x : inputs) {
    const bool masked = x.mask().defined();
    factors.push_back(masked ? select(mask_of_elements(x), x, 1.0) : x);
    if (masked) masks.push_back(mask_of_elements(x));
  }
  const Tensor product = fold(factors, multiply);
  return masks.size() == inputs.size() ? select(any_of(masks), product, 0.0) : product;
}

Tensor extreme_masked(const Tensors& inputs, Merge merge) {
  Tensor merged = inputs[0];
  Tensor mask = merged.mask().defined() ? mask_of_elements(merged) : Tensor();
  for (size_t i = 1; i < inputs.size(); ++i) {
    Tensor x = inputs[i];
    const Tensor own = x.mask().defined() ? mask_of_elements(x) : Tensor();
    if (own.defined()) x = select(own, x, merged);
    if (mask.defined()) merged = select(mask, merged, x);
    mask = own.defined() && mask.defined() ? logical_or(mask, own) : Tensor();
    merged = merge(merged, x);
  }
  return merged;
}

// Folds the inputs with one op, from the first to the last.
class FoldBody final : public MergingBody<MergeOptions> {
 public:
  FoldBody(const FoldKind& kind, const MergeOptions& options) : MergingBody(options), kind_(kind) {}
  std::string_view class_name() const override { return kind_.class_name; }
  RangeEffect range_effect() const override {
    return kind_.averages ? RangeEffect::keeps() : RangeEffect{};
  }

  Tensors call(const Tensors& inputs, const CallContext&) override {
    int rank = 0;
    for (const Tensor& x : inputs) rank = std::max(rank, x.rank());
    Tensors alike;
    for (const Tensor& x : of_one_dtype(inputs)) alike.push_back(with_rank(x, rank));
    const bool masked = kind_.masked != nullptr && std::ranges::any_of(alike, [](const Tensor& x) {
                          return x.mask().defined();
                        });
    const Tensor merged = masked ? kind_.masked(alike, kind_.merge) : fold(alike, kind_.merge);
    return {kind_.averages ? merged / static_cast<double>(inputs.size()) : merged};
  }

 protected:
  void check(const Specs& inputs) const override {
    MergingBody::check(inputs);
    if (kind_.is_of_two && inputs.size() != 2)
      refuse(fmt::format("expected two tensors, found {}", inputs.size()));
  }

 private:
  FoldKind kind_;
};

std::shared_ptr<LayerBody> make_fold(const FoldKind& kind, const MergeOptions& options) {
  auto body = std::make_shared<FoldBody>(kind, options);
  body->set_name(options.name.empty() ? unique_name(kind.class_name) : options.name);
  body->set_trainable(options.trainable);
  return body;
}

class ConcatenateBody final : public MergingBody<ConcatenateOptions> {
 public:
  using MergingBody::MergingBody;
  std::string_view class_name() const override { return "Concatenate"; }
  RangeEffect range_effect() const override { return RangeEffect::keeps(); }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    return {concatenate(of_one_dtype(inputs), options_.axis)};
  }

  // An input without a mask counts everywhere.
  Tensors output_masks(const Tensors& inputs, const Tensors&, const Tensors& masks) const override {
    if (std::ranges::none_of(masks, &Tensor::defined)) return {Tensor()};
    Tensors parts;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Tensor all = scalar(1, DType::boolean);
      Tensor mask = masks[i].defined() ? masks[i] : all;
      if (mask.rank() > 0 && mask.rank() < inputs[i].rank()) mask = expand_dims(mask, -1);
      parts.push_back(cast(broadcast_to(mask, inputs[i].shape()), DType::float32));
    }
    return {greater(max(concatenate(parts, options_.axis), {-1}), 0.0)};
  }
};

}  // namespace

void describe(Fields&, MergeOptions&) {}

void describe(Fields& fields, ConcatenateOptions& options) {
  fields.with("axis", options.axis);
}

Add::Add(const MergeOptions& options) : Layer(make_fold({"Add", add}, options)) {}
Subtract::Subtract(const MergeOptions& options)
    : Layer(make_fold({.class_name = "Subtract", .merge = subtract, .is_of_two = true}, options)) {}
Multiply::Multiply(const MergeOptions& options)
    : Layer(make_fold({"Multiply", multiply, multiply_masked}, options)) {}
Average::Average(const MergeOptions& options)
    : Layer(make_fold({.class_name = "Average", .merge = add, .averages = true}, options)) {}
Maximum::Maximum(const MergeOptions& options)
    : Layer(make_fold({"Maximum", maximum, extreme_masked}, options)) {}
Minimum::Minimum(const MergeOptions& options)
    : Layer(make_fold({"Minimum", minimum, extreme_masked}, options)) {}

Concatenate::Concatenate(const ConcatenateOptions& options)
    : Layer(make_layer<ConcatenateBody>(options)) {}

}  // namespace plimsoll

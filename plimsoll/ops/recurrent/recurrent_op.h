// The ops that lstm(), gru() and simple_rnn() record, and those of their gradients.
#pragma once

#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/recurrent/recurrent_form.h"

namespace plimsoll {

class RecurrentOp final : public Op {
 public:
  explicit RecurrentOp(kernels::RecurrentForm form) : form_(form) {
    form_.unused |= form_.absent_outputs();
  }

  std::string_view name() const override;
  void describe(Attributes& to) const override;
  Specs infer(std::span<const Spec> in) const override;
  bool keeps_samples_apart(const SampleAxes& axes) const override { return axes.are_rows(); }
  Tensors gradient(const Node& node, const Tensors& output_gradients) const override;
  OpPtr pruned(std::span<const bool> used) const override;
  KernelPtr kernel(const KernelRequest& request) const override;
  double operations(std::span<const Spec> in, std::span<const Spec> out) const override;
  Arrays reference(std::span<const Array> in) const override;

 private:
  Tensors saved_outputs(const Node& node) const;

  kernels::RecurrentForm form_;
};

class RecurrentGradientOp final : public Op {
 public:
  RecurrentGradientOp(kernels::RecurrentForm form, const kernels::RecurrentFlow& flow)
      : form_(form), flow_(flow) {
    form_.unused |= form_.absent_gradients();
  }

  std::string_view name() const override;
  void describe(Attributes& to) const override;
  Specs infer(std::span<const Spec> in) const override;
  OpPtr pruned(std::span<const bool> used) const override;
  KernelPtr kernel(const KernelRequest& request) const override;
  double operations(std::span<const Spec> in, std::span<const Spec> out) const override;
  Arrays reference(std::span<const Array> in) const override;

 private:
  kernels::RecurrentForm form_;  // its `unused` counts the gradients
  kernels::RecurrentFlow flow_;
};

void describe(Attributes& to, const kernels::RecurrentForm& form);

// The specs of the inputs that the op and its gradient share; the bias has shape (0,) if there is
// none.
struct RecurrentSpecs {
  kernels::RecurrentSizes sizes;
  Spec x, kernel, recurrent_kernel, bias, state;
  Spec sequence, gates, cells, hiddens;

  // The operations of the products with both kernels, over the whole sequence.
  double operations() const;

  // InvalidArgument unless x and the kernels are what the form wants.
  RecurrentSpecs(const kernels::RecurrentForm& form, std::span<const Spec> in);
};

}  // namespace plimsoll

// The base of the elementwise ops on floats. Each says what it computes as a program, so that a
// chain of them can be joined into one op that passes over memory once.
#pragma once

#include <string_view>
#include <utility>

#include "plimsoll/graph/op.h"
#include "plimsoll/graph/operand.h"
#include "plimsoll/kernels/elementwise/elementwise_program.h"

namespace plimsoll {

class ElementwiseOp : public Op {
 public:
  virtual kernels::ElementwiseProgram program() const = 0;

  // Subclasses check the inputs' dtypes.
  Specs infer(std::span<const Spec> in) const override { return broadcast(in); }
  // Inputs of the output's shape and the output in the first blocked layout offered; inputs that
  // broadcast are row-major.
  LayoutChoice layouts(std::span<const Spec> in, std::span<const Spec> out,
                       std::span<const Layout> offered) const override;
  std::vector<Overwrite> may_overwrite() const override;
  bool keeps_samples_apart(const SampleAxes&) const override { return true; }
  KernelPtr kernel(const KernelRequest& request) const override;
  Arrays reference(std::span<const Array> in) const override;

 protected:
  // The inputs broadcast; outputs have the program's dtypes.
  Specs broadcast(std::span<const Spec> in) const;
};

// One function, e.g. "exp" or "add". It has no data of its own, so that a subclass can bind all its
// members in describe().
class FunctionOp : public ElementwiseOp {
 public:
  virtual kernels::Function function() const = 0;

  std::string_view name() const override { return kernels::name_of(function()); }
  kernels::ElementwiseProgram program() const override {
    return kernels::ElementwiseProgram::of(function());
  }
  Specs infer(std::span<const Spec> in) const override;  // wants float32
};

// Several elementwise ops joined by a pass after autodiff; so it has no gradient.
class FusedElementwise final : public ElementwiseOp {
 public:
  explicit FusedElementwise(kernels::ElementwiseProgram program) : program_(std::move(program)) {}

  std::string_view name() const override { return "fused_elementwise"; }
  void describe(Attributes& to) const override;
  kernels::ElementwiseProgram program() const override { return program_; }

 private:
  kernels::ElementwiseProgram program_;
};

// The shape that all inputs broadcast to.
Shape broadcast_all(std::span<const Spec> in);

// InvalidArgument unless every input is float32.
void expect_float32(std::span<const Spec> in);

// The tensor of an operand beside a tensor of `dtype`: a number takes that dtype if the dtype can
// represent it; otherwise it stays float32, which the op then refuses.
Tensor as_dtype(const Operand& operand, DType dtype);

// Both operands, a number taking the dtype of the other.
std::pair<Tensor, Tensor> matched(const Operand& a, const Operand& b);

// `gradient` summed over what broadcasting repeated.
Tensor reduce_gradient(const Tensor& gradient, const Tensor& input);

}  // namespace plimsoll

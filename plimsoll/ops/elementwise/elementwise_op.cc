#include "plimsoll/ops/elementwise/elementwise_op.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/ops/elementwise/elementwise_reference.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {

// "clip(1; 0, 6)": the function, the values that it reads and its constants.
template <>
struct AttributeType<kernels::Instruction> {
  static void sign(Signature& to, const kernels::Instruction& value) {
    const auto& [function, operands, constants] = value;
    to.add(function);
    for (const uint8_t operand : operands) to.add(operand);
    for (const float constant : constants) to.add(static_cast<double>(constant));
  }
  static std::string text(const kernels::Instruction& value) {
    const auto& [function, operands, constants] = value;
    const auto read = std::span(operands).first(static_cast<size_t>(arity(function)));
    return attribute_text(std::string_view(fmt::format(
        "{}({}; {})", name_of(function), fmt::join(read, ", "), fmt::join(constants, ", "))));
  }
  static void change(kernels::Instruction& value) { change_number(value.constants[1]); }
};

template <>
struct AttributeType<kernels::ElementwiseProgram::Output> {
  using Output = kernels::ElementwiseProgram::Output;

  static void sign(Signature& to, const Output& output) {
    const auto& [value, dtype] = output;
    to.add(value).add(dtype);
  }
  static std::string text(const Output& output) {
    const auto& [value, dtype] = output;
    return attribute_text(std::string_view(fmt::format("{}: {}", value, name_of(dtype))));
  }
  static void change(Output& output) { output.value ^= 1; }
};
namespace {

bool holds(DType dtype, double number) {
  switch (dtype) {
    case DType::float32:
      return true;
    case DType::boolean:
      return number == 0 || number == 1;
    case DType::uint8:
      return number == std::trunc(number) && number >= 0 && number <= 255;
    case DType::int32:
      return number == std::trunc(number) && std::abs(number) < 0x1p31;
    case DType::int64:
      return number == std::trunc(number) && std::abs(number) < 0x1p63;
    case DType::string:
      break;
  }
  return false;
}

}  // namespace

Specs ElementwiseOp::broadcast(std::span<const Spec> in) const {
  const Shape shape = broadcast_all(in);
  Specs out;
  for (const auto& output : program().outputs) out.push_back({output.dtype, shape});
  return out;
}

LayoutChoice ElementwiseOp::layouts(std::span<const Spec> in, std::span<const Spec> out,
                                    std::span<const Layout> offered) const {
  Layout layout;
  for (size_t i = 0; i < in.size() && layout.is_plain(); ++i)
    if (in[i].shape == out[0].shape) layout = offered[i];
  LayoutChoice choice{std::vector<Layout>(in.size()), std::vector<Layout>(out.size(), layout)};
  for (size_t i = 0; i < in.size(); ++i)
    if (in[i].shape == out[0].shape) choice.inputs[i] = layout;
  return choice;
}

std::vector<Overwrite> ElementwiseOp::may_overwrite() const {
  const kernels::ElementwiseProgram steps = program();
  std::vector<Overwrite> pairs;
  for (int output = 0; output < static_cast<int>(steps.outputs.size()); ++output)
    for (int input = 0; input < steps.inputs; ++input)
      if (kernels::may_overwrite(steps, input, output)) pairs.push_back({input, output});
  return pairs;
}

KernelPtr ElementwiseOp::kernel(const KernelRequest& request) const {
  return kernels::make_elementwise(program(), request);
}

Arrays ElementwiseOp::reference(std::span<const Array> in) const {
  Specs specs;
  for (const Array& array : in) specs.push_back(array.spec);
  return evaluate_program(program(), in, infer(specs));
}

Specs FunctionOp::infer(std::span<const Spec> in) const {
  expect_float32(in);
  return broadcast(in);
}

void FusedElementwise::describe(Attributes& to) const {
  const auto& [program] = *this;
  const auto& [inputs, instructions, outputs] = program;
  to.with("inputs", inputs).with("instructions", instructions).with("outputs", outputs);
}

Shape broadcast_all(std::span<const Spec> in) {
  Shape shape;
  for (const Spec& spec : in) shape = broadcast(shape, spec.shape, "broadcasting");
  return shape;
}

void expect_float32(std::span<const Spec> in) {
  for (const Spec& spec : in)
    if (spec.dtype != DType::float32)
      throw InvalidArgument("expected float32, found " + std::string(name_of(spec.dtype)) +
                            "; cast() it first");
}

Tensor as_dtype(const Operand& operand, DType dtype) {
  if (!operand.is_number || dtype == DType::float32) return operand.tensor;
  const double number = operand.tensor.item();
  return holds(dtype, number) ? scalar(number, dtype, operand.where) : operand.tensor;
}

std::pair<Tensor, Tensor> matched(const Operand& a, const Operand& b) {
  return {as_dtype(a, b.tensor.dtype()), as_dtype(b, a.tensor.dtype())};
}

Tensor reduce_gradient(const Tensor& gradient, const Tensor& input) {
  return gradient.shape() == input.shape() ? gradient : sum_to(gradient, input.shape());
}

}  // namespace plimsoll

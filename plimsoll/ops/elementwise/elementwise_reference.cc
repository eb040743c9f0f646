#include "plimsoll/ops/elementwise/elementwise_reference.h"

#include <cmath>
#include <limits>

namespace plimsoll {

using kernels::Function;

double evaluate_function(Function function, const double operands[3], const float constants[2]) {
  const double a = operands[0], b = operands[1], c = operands[2];
  switch (function) {
    case Function::copy:
      return a;
    case Function::negative:
      return -a;
    case Function::abs:
      return std::abs(a);
    case Function::sign:
      return a > 0 ? 1 : a < 0 ? -1 : a;
    case Function::square:
      return a * a;
    case Function::sqrt:
      return std::sqrt(a);
    case Function::rsqrt:
      return 1 / std::sqrt(a);
    case Function::reciprocal:
      return 1 / a;
    case Function::exp:
      return std::exp(a);
    case Function::expm1:
      return std::expm1(a);
    case Function::log:
      return std::log(a);
    case Function::log1p:
      return std::log1p(a);
    case Function::sin:
      return std::sin(a);
    case Function::cos:
      return std::cos(a);
    case Function::tanh:
      return std::tanh(a);
    case Function::sigmoid:
      return a < 0 ? std::exp(a) / (1 + std::exp(a)) : 1 / (1 + std::exp(-a));
    case Function::softplus:
      return (a < 0 ? 0 : a) + std::log1p(std::exp(-std::abs(a)));
    case Function::erf:
      return std::erf(a);
    case Function::relu:
      return a < 0 ? 0 : a;
    case Function::floor:
      return std::floor(a);
    case Function::ceil:
      return std::ceil(a);
    case Function::round:
      return std::nearbyint(a);
    case Function::is_nonzero:
      return a != 0;
    case Function::logical_not:
      return a == 0;
    case Function::clip:
      return a < constants[0] ? constants[0] : a > constants[1] ? constants[1] : a;
    case Function::add:
      return a + b;
    case Function::subtract:
      return a - b;
    case Function::multiply:
      return a * b;
    case Function::divide:
      return a / b;
    case Function::power:
      return std::pow(a, b);
    case Function::maximum:
      return a > b || std::isnan(a) ? a : b;
    case Function::minimum:
      return a < b || std::isnan(a) ? a : b;
    case Function::relu_gradient:
      return a > 0 ? b : 0;
    case Function::equal:
      return a == b;
    case Function::not_equal:
      return a != b;
    case Function::less:
      return a < b;
    case Function::less_equal:
      return a <= b;
    case Function::greater:
      return a > b;
    case Function::greater_equal:
      return a >= b;
    case Function::logical_and:
      return a != 0 && b != 0;
    case Function::logical_or:
      return a != 0 || b != 0;
    case Function::select:
      return a != 0 ? b : c;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

int64_t broadcast_index(int64_t index, const Shape& output, const Shape& input) {
  int64_t result = 0, stride = 1;
  for (int i = output.rank() - 1, k = input.rank() - 1; k >= 0; --i, --k) {
    if (input[k] != 1) result += index % output[i] * stride;
    index /= output[i];
    stride *= input[k];
  }
  return result;
}

Arrays evaluate_program(const kernels::ElementwiseProgram& program, std::span<const Array> in,
                        const Specs& out) {
  Arrays results;
  for (const Spec& spec : out) results.emplace_back(spec);
  std::vector<double> values(static_cast<size_t>(program.values()));
  for (int64_t i = 0; i < out[0].shape.elements(); ++i) {
    for (size_t k = 0; k < in.size(); ++k)
      values[k] = in[k][broadcast_index(i, out[0].shape, in[k].spec.shape)];
    for (size_t k = 0; k < program.instructions.size(); ++k) {
      const kernels::Instruction& instruction = program.instructions[k];
      double operands[3] = {};
      for (size_t j = 0; j < 3; ++j) operands[j] = values[instruction.operands[j] % values.size()];
      values[in.size() + k] =
          evaluate_function(instruction.function, operands, instruction.constants.data());
    }
    for (size_t k = 0; k < results.size(); ++k) results[k][i] = values[program.outputs[k].value];
  }
  return results;
}

}  // namespace plimsoll

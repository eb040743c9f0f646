#include "plimsoll/nn/attention/einsum_dense.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/ops/elementwise/activations.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/linear/einsum.h"
#include "plimsoll/ops/linear/linear.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

bool has(const std::string& letters, char letter) {
  return letters.find(letter) != std::string::npos;
}

// "...abc,cd->...abd": its letters, and where the dots are.
struct Equation {
  std::string input, kernel, result;
  bool dots_left = false, dots_right = false;

  bool is_valid() const {
    const auto letters = [](const std::string& text) {
      return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      });
    };
    return letters(input) && letters(kernel) && letters(result);
  }
};

Equation parse(std::string text) {
  std::erase(text, ' ');
  const size_t comma = text.find(','), arrow = text.find("->");
  if (comma == std::string::npos || arrow == std::string::npos || arrow < comma) return {};
  Equation equation{text.substr(0, comma), text.substr(comma + 1, arrow - comma - 1),
                    text.substr(arrow + 2)};
  std::string &input = equation.input, &result = equation.result;
  if (input.starts_with("...") && result.starts_with("...")) {
    input.erase(0, 3), result.erase(0, 3);
    equation.dots_left = true;
  } else if (input.ends_with("...") && result.ends_with("...")) {
    input.resize(input.size() - 3), result.resize(result.size() - 3);
    equation.dots_right = true;
  }
  return equation;
}

class EinsumDenseBody final : public LayerOf<EinsumDenseOptions> {
 public:
  explicit EinsumDenseBody(const EinsumDenseOptions& options)
      : LayerOf(options),
        equation_(parse(options.equation)),
        activation_(options.activation.function()) {}

  void validate() const {
    if (!equation_.is_valid())
      refuse("the equation '" + options_.equation +
             "' is not understood; expected \"ab,bc->ac\", \"...a,ab->...b\" or "
             "\"ab...,bc->ac...\"");
    const std::string known = equation_.input + equation_.kernel;
    for (const char letter : equation_.result)
      if (!has(known, letter))
        refuse(std::string("the result's '") + letter +
               "' is neither in the input nor in the kernel");
    for (const char letter : equation_.kernel)
      if (!has(equation_.input, letter) && !has(equation_.result, letter))
        refuse(std::string("the kernel's '") + letter + "' is neither in the input nor the result");
    for (const char letter : options_.bias_axes)
      if (!has(equation_.result, letter))
        refuse(std::string("bias_axes has '") + letter + "', which is not in the result");
  }
  std::string_view class_name() const override { return "EinsumDense"; }
  RangeEffect range_effect() const override { return RangeEffect::multiplies(); }

  void build(const Specs& inputs) override {
    const std::map<char, int64_t> sizes = sizes_for(inputs[0].shape);
    Shape kernel;
    int64_t from = 1, to = 1;  // how many inputs make an output, and how many outputs there are
    for (const char letter : equation_.kernel) {
      kernel.push_back(sizes.at(letter));
      (has(equation_.result, letter) ? to : from) *= sizes.at(letter);
    }
    WeightOptions kernel_options = kernel_of(kernel);
    kernel_options.drawn_as = {from, to};
    kernel_ = add_weight(kernel_options);
    if (!options_.bias_axes.empty())
      bias_ = add_weight(bias_of(bias_shape(sizes, elided(inputs[0].shape))));
  }

  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Tensor x = as_float(inputs[0]);
    if (is_matrix_product()) return {activation_(matrix_product(x))};
    Tensor y = einsum(options_.equation, {x, kernel_.value()});
    if (bias_.defined()) y = y + bias_;
    return {activation_(y)};
  }

 protected:
  void check(const Specs& inputs) const override {
    const Shape& shape = inputs[0].shape;
    const int letters = static_cast<int>(equation_.input.size());
    const bool dots = equation_.dots_left || equation_.dots_right;
    if (shape.rank() < letters || (!dots && shape.rank() > letters))
      refuse("the equation '" + options_.equation + "' does not fit an input of shape " +
             shape.to_string());
    const std::map<char, int64_t> sizes = sizes_for(shape);
    for (const char letter : equation_.kernel)
      if (!sizes.contains(letter))
        refuse(std::string("output_shape does not say how long '") + letter + "' is");
    if (!built()) return;
    for (size_t i = 0; i < equation_.kernel.size(); ++i)
      if (const char letter = equation_.kernel[i];
          has(equation_.input, letter) && sizes.at(letter) != kernel_.shape()[static_cast<int>(i)])
        refuse(
            fmt::format("the input's axis '{}' has size {}, the kernel expects {} (found shape {})",
                        std::string(1, letter), sizes.at(letter),
                        kernel_.shape()[static_cast<int>(i)], shape.to_string()));
  }

 private:
  // How many axes of the input have no letter.
  int elided(const Shape& input) const {
    return input.rank() - static_cast<int>(equation_.input.size());
  }

  // Letters of the input from its shape, others from output_shape, whose first letter (or the dots)
  // is the batch.
  std::map<char, int64_t> sizes_for(const Shape& input) const {
    std::map<char, int64_t> sizes;
    const int first = equation_.dots_left ? elided(input) : 0;
    for (size_t i = 0; i < equation_.input.size(); ++i)
      sizes[equation_.input[i]] = input[first + static_cast<int>(i)];
    const Shape& output = options_.output_shape;
    // output_shape has no batch: with dots on the left they hold it, else the first letter does.
    const int skipped = equation_.dots_left ? 0 : 1;
    for (size_t i = 0; i < equation_.result.size(); ++i) {
      const int at = static_cast<int>(i) - skipped;
      if (at >= 0 && at < output.rank() && output[at] >= 0)
        sizes.try_emplace(equation_.result[i], output[at]);
    }
    return sizes;
  }

  // The result's axes from the first one with a bias on. Later axes without a bias, and those of
  // dots that follow, are 1.
  Shape bias_shape(const std::map<char, int64_t>& sizes, int dots) const {
    Shape shape;
    for (const char letter : equation_.result)
      if (const bool own = has(options_.bias_axes, letter); own || shape.rank() > 0)
        shape.push_back(own ? sizes.at(letter) : 1);
    for (int i = 0; equation_.dots_right && i < dots; ++i) shape.push_back(1);
    return shape;
  }

  // True if the input is (…, inner), the kernel (inner, outer) and the result (…, outer), each of
  // these perhaps several axes, with a bias of all of outer or none. Then it is one product of
  // matrices, and the bias can join it.
  bool is_matrix_product() const {
    const auto& [input, kernel, result, left, right] = equation_;
    const size_t inner =
        std::ranges::count_if(kernel, [&](char c) { return has(equation_.input, c); });
    const std::string outer = kernel.substr(inner);
    return !right && inner <= input.size() && input.ends_with(kernel.substr(0, inner)) &&
           result == input.substr(0, input.size() - inner) + outer &&
           (options_.bias_axes.empty() || options_.bias_axes == outer);
  }

  Tensor matrix_product(const Tensor& x) const {
    const Shape& kernel = kernel_.shape();
    const int inner = static_cast<int>(
        std::ranges::count_if(equation_.kernel, [&](char c) { return has(equation_.input, c); }));
    const int64_t columns = kernel.elements(inner, kernel.rank());
    Tensor y = matmul(reshape(x, {-1, kernel.elements(0, inner)}), reshape(kernel_, {-1, columns}));
    if (bias_.defined()) y = y + reshape(bias_, {columns});
    Shape shape(x.shape().dims().first(static_cast<size_t>(x.rank() - inner)));
    for (int i = inner; i < kernel.rank(); ++i) shape.push_back(kernel[i]);
    return reshape(y, shape);
  }

  Equation equation_;
  ActivationFunction activation_;
  Variable kernel_, bias_;
};

}  // namespace

void describe(Fields& fields, EinsumDenseOptions& options) {
  fields.with("output_shape", options.output_shape)
      .with("equation", options.equation)
      .activation("activation", options.activation);
  if (!fields.reading() && options.bias_axes.empty())
    fields.only_null("bias_axes");
  else
    fields.with("bias_axes", options.bias_axes);
  fields.with("kernel_initializer", options.kernel_initializer)
      .with("bias_initializer", options.bias_initializer)
      .with("kernel_regularizer", options.kernel_regularizer)
      .with("bias_regularizer", options.bias_regularizer)
      .with("activity_regularizer", options.activity_regularizer)
      .with("kernel_constraint", options.kernel_constraint)
      .with("bias_constraint", options.bias_constraint)
      .only_null("quantization_config");
}

EinsumDense::EinsumDense(const EinsumDenseOptions& options)
    : Layer(make_layer<EinsumDenseBody>(options)) {}

}  // namespace plimsoll

#include "plimsoll/ops/random/random.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/random/random.h"
#include "plimsoll/ops/random/random_state.h"

namespace plimsoll {
namespace {

// Two parameters, no input but the state.
class RandomTensor : public Op {
 public:
  RandomTensor(const Shape& shape, double first, double second, uint64_t stream)
      : shape_(shape), first_(first), second_(second), stream_(stream) {}

  bool keeps_samples_apart(const SampleAxes& axes) const override {
    return axes.are_rows() && shape_[0] == axes.samples;
  }

  Specs infer(std::span<const Spec> in) const override {
    expect_state(in, 0);
    return {{DType::float32, shape_}};
  }
  Tensors gradient(const Node& node, const Tensors&) const override {
    return Tensors(node.inputs.size());
  }
  Arrays reference(std::span<const Array> in) const override {
    const kernels::Draw draw = draw_of(in, stream_);
    Array out({DType::float32, shape_});
    for (int64_t i = 0; i < shape_.elements(); ++i) out[i] = value(i, draw);
    return {out};
  }

 protected:
  // `first` and `second` are the names of the two numbers. `op` has no members but these.
  template <class Final>
  static void describe_as(Attributes& to, const Final& op, const char* first, const char* second) {
    const auto& [shape, first_number, second_number, stream] = op;
    to.with("shape", shape).with(first, first_number).with(second, second_number);
    to.with("stream", stream);
  }
  virtual double value(int64_t index, const kernels::Draw& draw) const = 0;

  Shape shape_;
  double first_, second_;
  uint64_t stream_;
};

class RandomUniform final : public RandomTensor {
 public:
  using RandomTensor::RandomTensor;
  std::string_view name() const override { return "random_uniform"; }
  void describe(Attributes& to) const override { describe_as(to, *this, "minval", "maxval"); }
  Specs infer(std::span<const Spec> in) const override {
    if (!(first_ <= second_) || !std::isfinite(second_ - first_))
      throw InvalidArgument(
          fmt::format("expected finite bounds low <= high, found {:g} and {:g}", first_, second_));
    return RandomTensor::infer(in);
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_random_uniform(first_, second_, stream_, request);
  }

 private:
  double value(int64_t index, const kernels::Draw& draw) const override {
    return first_ + uniform01(word_of(index, shape_, draw)) * (second_ - first_);
  }
};

class RandomNormal final : public RandomTensor {
 public:
  using RandomTensor::RandomTensor;
  std::string_view name() const override { return "random_normal"; }
  void describe(Attributes& to) const override { describe_as(to, *this, "mean", "stddev"); }
  Specs infer(std::span<const Spec> in) const override {
    if (!(second_ >= 0))
      throw InvalidArgument(
          fmt::format("expected a standard deviation of at least 0, found {:g}", second_));
    return RandomTensor::infer(in);
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_random_normal(first_, second_, stream_, request);
  }

 private:
  // Elements 2i and 2i + 1 of a sample are the two normals of one pair of words.
  double value(int64_t index, const kernels::Draw& draw) const override {
    const int64_t row_elements = shape_.rank() == 0 ? 1 : shape_.elements(1, shape_.rank());
    const int64_t row = index / row_elements, element = index % row_elements;
    const auto words = draw.words(static_cast<uint32_t>(row), static_cast<uint32_t>(element / 4));
    const size_t pair = static_cast<size_t>(element % 4 / 2 * 2);
    const double uniform = static_cast<float>((words[pair] + 1.0) * 0x1p-32);
    const double radius = std::sqrt(-2 * std::log(uniform));
    const double angle = 2 * std::numbers::pi * uniform01(words[pair + 1]);
    return first_ + second_ * radius * (element % 2 == 0 ? std::cos(angle) : std::sin(angle));
  }
};

}  // namespace

Tensor random_uniform(const Shape& shape, double low, double high, const RandomState& state,
                      Place where) {
  return apply(std::make_shared<RandomUniform>(shape, low, high, state.stream), state_inputs(state),
               where);
}

Tensor random_normal(const Shape& shape, double mean, double stddev, const RandomState& state,
                     Place where) {
  return apply(std::make_shared<RandomNormal>(shape, mean, stddev, state.stream),
               state_inputs(state), where);
}

}  // namespace plimsoll

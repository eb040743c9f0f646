#include "tests/support/gradient_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "tests/support/reference_interpreter.h"

namespace plimsoll::testing {
namespace {

constexpr double kTolerance = 1e-6;  // of the largest element of the gradient
constexpr double kStep = 1e-5;
constexpr int64_t kElementsChecked = 24;  // of each input, one by one; fewer of large ones
constexpr int kDirections = 2;            // of all elements at once

bool is_float(const Array& array) {
  return array.spec.dtype == DType::float32;
}

// Which of the arrays gradients flow to or from.
std::vector<bool> differentiable(const Arrays& arrays, std::span<const int> excepted) {
  std::vector<bool> flags;
  for (const Array& array : arrays) flags.push_back(is_float(array));
  for (const int i : excepted) flags[static_cast<size_t>(i)] = false;
  return flags;
}

// sum(output * seed) over the outputs that have a seed: what is differentiated.
struct Loss {
  const Op& op;
  Arrays seeds;  // one an output, zeros where none flows

  double at(const Arrays& inputs) const {
    const Arrays outputs = op.reference(inputs);
    double sum = 0;
    for (size_t o = 0; o < outputs.size(); ++o)
      for (size_t i = 0; i < outputs[o].data.size(); ++i)
        if (is_float(outputs[o])) sum += outputs[o].data[i] * seeds[o].data[i];
    return sum;
  }

  // Along `direction`, whose largest element is about 1.
  double slope(const Arrays& inputs, const Arrays& direction) const {
    Arrays above = inputs, below = inputs;
    double largest = 1;
    for (size_t n = 0; n < inputs.size(); ++n)
      for (size_t i = 0; i < inputs[n].data.size(); ++i)
        if (direction[n].data[i] != 0) largest = std::max(largest, std::abs(inputs[n].data[i]));
    const double step = kStep * largest;
    for (size_t n = 0; n < inputs.size(); ++n)
      for (size_t i = 0; i < inputs[n].data.size(); ++i) {
        above[n].data[i] += step * direction[n].data[i];
        below[n].data[i] -= step * direction[n].data[i];
      }
    return (at(above) - at(below)) / (2 * step);
  }
};

Arrays zeros_like(const Arrays& arrays) {
  Arrays zeros;
  for (const Array& array : arrays) zeros.emplace_back(array.spec);
  return zeros;
}

void compare(const Loss& loss, const Arrays& inputs, const Arrays& gradients,
             const std::vector<bool>& differentiated) {
  const double noise = 1e-10 * std::max(1.0, std::abs(loss.at(inputs)));
  double total = 0;
  for (const Array& gradient : gradients)
    for (const double g : gradient.data) total = std::max(total, std::abs(g));
  for (size_t n = 0; n < inputs.size(); ++n) {
    const auto size = static_cast<int64_t>(inputs[n].data.size());
    if (!differentiated[n] || size == 0) continue;
    double largest = 0;
    for (const double g : gradients[n].data) largest = std::max(largest, std::abs(g));
    const int64_t checked = std::clamp<int64_t>(50000 / size, 3, kElementsChecked);
    const int64_t stride = std::max<int64_t>(1, size / checked);
    for (int64_t i = size % stride / 2; i < size; i += stride) {
      Arrays direction = zeros_like(inputs);
      direction[n][i] = 1;
      EXPECT_NEAR(gradients[n][i], loss.slope(inputs, direction), kTolerance * largest + noise)
          << "gradient of input " << n << ", element " << i;
    }
  }
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int repeat = 0; repeat < kDirections; ++repeat) {
    Arrays direction = zeros_like(inputs);
    double expected = 0, length = 0;
    for (size_t n = 0; n < inputs.size(); ++n)
      for (size_t i = 0; differentiated[n] && i < inputs[n].data.size(); ++i) {
        direction[n].data[i] = uniform(random);
        expected += direction[n].data[i] * gradients[n].data[i];
        length += direction[n].data[i] * direction[n].data[i];
      }
    EXPECT_NEAR(expected, loss.slope(inputs, direction),
                kTolerance * total * std::sqrt(length) + noise)
        << "gradient along a random direction of all inputs";
  }
}

// With gradients flowing from the outputs marked in `flows`.
void check_flow(const OpPtr& op, const Arrays& inputs, const std::vector<bool>& differentiated,
                const std::vector<bool>& flows) {
  ReferenceInterpreter interpreter;
  Tensors sources;
  for (const Array& input : inputs) {
    sources.push_back(placeholder(input.spec));
    interpreter.set(sources.back(), input);
  }
  const Tensors outputs = apply_all(op, sources, Place::here());
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Loss loss{*op, {}};
  Tensors seeds;
  for (size_t o = 0; o < outputs.size(); ++o) {
    loss.seeds.emplace_back(outputs[o].spec());
    seeds.emplace_back();
    if (!flows[o]) continue;
    for (double& x : loss.seeds[o].data) x = uniform(random);
    seeds[o] = placeholder(outputs[o].spec());
    interpreter.set(seeds[o], loss.seeds[o]);
  }
  const Tensors answers = op->gradient(*outputs[0].value().node, seeds);
  ASSERT_EQ(answers.size(), inputs.size()) << "the gradient must answer for every input";
  Arrays gradients = zeros_like(inputs);
  for (size_t n = 0; n < answers.size(); ++n) {
    if (!answers[n].defined()) continue;
    ASSERT_EQ(answers[n].spec(), inputs[n].spec) << "gradient of input " << n;
    gradients[n] = interpreter.evaluate(answers[n]);
  }
  compare(loss, inputs, gradients, differentiated);
}

}  // namespace

void check_gradient(const OpPtr& op, const Arrays& inputs, std::span<const int> constant_inputs,
                    std::span<const int> saved_outputs) {
  const std::vector<bool> sources = differentiable(inputs, constant_inputs);
  const std::vector<bool> all = differentiable(op->reference(inputs), saved_outputs);
  check_flow(op, inputs, sources, all);
  if (std::ranges::count(all, true) < 2) return;
  for (size_t o = 0; o < all.size(); ++o) {
    if (!all[o]) continue;
    SCOPED_TRACE("gradient of output " + std::to_string(o) + " alone");
    std::vector<bool> alone(all.size(), false);
    alone[o] = true;
    check_flow(op, inputs, sources, alone);
  }
}

}  // namespace plimsoll::testing

// Training steps for tests and benchmarks, made as autodiff makes them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "plimsoll/plan/step.h"

namespace plimsoll::plan {

// Builds a step value by value.
class StepBuilder {
 public:
  int32_t value(int64_t bytes) { return add({.bytes = bytes}); }
  int32_t external(int64_t bytes) { return add({.bytes = bytes, .external = true}); }
  int32_t view(int32_t of) { return add({.bytes = step.values[of].bytes, .alias_of = of}); }

  // Adds a task with one output and returns that.
  int32_t run(std::vector<int32_t> inputs, int64_t output_bytes, int64_t scratch_bytes = 0) {
    const int32_t output = value(output_bytes);
    step.tasks.push_back(
        {.inputs = std::move(inputs), .outputs = {output}, .scratch_bytes = scratch_bytes});
    return output;
  }

  // The same where the output may take the place of the first input.
  int32_t run_in_place(std::vector<int32_t> inputs) {
    const int64_t bytes = step.values[inputs[0]].bytes;
    const int32_t output = run(std::move(inputs), bytes);
    step.tasks.back().may_overwrite = {{.input = 0, .output = 0}};
    return output;
  }

  // Writes the gradient into a weight when all else is done.
  void commit(int32_t weight, int32_t gradient) {
    step.tasks.push_back({.inputs = {weight, gradient}, .outputs = {}, .stage = 1});
  }

  StepProblem step;

 private:
  int32_t add(Value value) {
    step.values.push_back(value);
    return static_cast<int32_t>(step.values.size()) - 1;
  }
};

inline StepProblem mlp_step(const std::vector<int64_t>& units, int64_t batch) {
  StepBuilder b;
  std::vector<int32_t> weights, activations = {b.external(4 * batch * units[0])};
  for (size_t i = 1; i < units.size(); ++i) {
    weights.push_back(b.external(4 * units[i - 1] * units[i]));
    const int32_t sums = b.run({activations.back(), weights.back()}, 4 * batch * units[i]);
    activations.push_back(b.run_in_place({sums}));
  }
  int32_t gradient = b.run({activations.back(), b.external(4 * batch)}, 4 * batch * units.back());
  for (size_t i = units.size() - 1; i > 0; --i) {
    gradient = b.run_in_place({gradient, activations[i]});
    const int32_t weight_gradient =
        b.run({activations[i - 1], gradient}, 4 * units[i - 1] * units[i], 4 * units[i]);
    b.commit(weights[i - 1], weight_gradient);
    if (i > 1) gradient = b.run({gradient, weights[i - 1]}, 4 * batch * units[i - 1]);
  }
  return b.step;
}

// Blocks of convolution, ReLU and a pooling that halves both sides, then a flat classifier.
inline StepProblem cnn_step(int64_t batch, int64_t side, int32_t blocks) {
  struct Block {
    int32_t input = 0, weight = 0, relu = 0, indices = 0;
    int64_t bytes = 0, pooled_bytes = 0, channels = 0;
  };
  StepBuilder b;
  std::vector<Block> made;
  int32_t x = b.external(4 * batch * side * side * 3);
  for (int64_t i = 0, channels = 16; i < blocks; ++i, side /= 2, channels *= 2) {
    Block block{.input = x, .bytes = 4 * batch * side * side * channels, .channels = channels};
    block.pooled_bytes = block.bytes / 4;
    block.weight = b.external(4 * 9 * channels * channels);
    block.relu = b.run_in_place({b.run({x, block.weight}, block.bytes, 36 * channels * channels)});
    x = b.run({block.relu}, block.pooled_bytes);
    block.indices = b.value(block.pooled_bytes / 4);
    b.step.tasks.back().outputs.push_back(block.indices);
    made.push_back(block);
  }
  const int32_t flat = b.view(x);
  const int32_t dense = b.external(40 * made.back().pooled_bytes / batch);
  const int32_t scores = b.run({flat, dense}, 40 * batch);
  const int32_t loss = b.run_in_place({scores});
  b.commit(dense, b.run({flat, loss}, b.step.values[dense].bytes));
  int32_t gradient = b.run({loss, dense}, made.back().pooled_bytes);
  for (size_t i = made.size(); i-- > 0;) {
    const Block& block = made[i];
    gradient = b.run({b.view(gradient), block.indices}, block.bytes);
    gradient = b.run_in_place({gradient, block.relu});
    b.commit(block.weight, b.run({block.input, gradient}, b.step.values[block.weight].bytes,
                                 block.channels * 4096));
    if (i > 0) gradient = b.run({gradient, block.weight}, made[i - 1].pooled_bytes);
  }
  return b.step;
}

// Two convolutions with normalisation in each block, and the block's input added to their result.
inline StepProblem residual_step(int64_t batch, int64_t side, int32_t blocks) {
  struct Half {
    int32_t input = 0, weight = 0, sums = 0, output = 0;
  };
  StepBuilder b;
  std::vector<Half> halves;
  int64_t channels = 32;
  int64_t bytes = 4 * batch * side * side * channels;
  int32_t x = b.run({b.external(4 * batch * side * side * 3)}, bytes);
  for (int32_t i = 0; i < 2 * blocks; ++i) {
    Half half{.input = x};
    half.weight = b.external(4 * 9 * channels * channels);
    half.sums = b.run({x, half.weight}, bytes, bytes / 8);
    int32_t y = b.run({half.sums}, bytes);
    if (i % 2 == 1) y = b.run_in_place({y, halves.back().input});
    half.output = x = b.run_in_place({y});
    halves.push_back(half);
  }
  int32_t gradient = b.run({x}, bytes);
  int32_t skipped = -1;
  for (size_t i = halves.size(); i-- > 0;) {
    const Half& half = halves[i];
    gradient = b.run_in_place({gradient, half.output});
    if (i % 2 == 1) skipped = gradient;
    const int32_t normalised = b.run({gradient, half.sums}, bytes, bytes / 16);
    b.commit(half.weight,
             b.run({half.input, normalised}, b.step.values[half.weight].bytes, bytes / 4));
    gradient = b.run({normalised, half.weight}, bytes, bytes / 8);
    if (i % 2 == 0) gradient = b.run_in_place({gradient, skipped});
  }
  return b.step;
}

// Anything that a step may hold: branches, views of views, overwrites, repeated and dead values,
// scratch, stages, kept values, values of no size and values that are there from the start.
inline StepProblem random_step(uint32_t seed, int32_t task_count) {
  std::mt19937 random(seed);
  const auto below = [&](int64_t limit) {
    return static_cast<int32_t>(static_cast<int64_t>(random()) % limit);
  };
  StepBuilder b;
  b.step.alignment = int64_t{1} << below(8);
  const auto any_value = [&] {
    const int32_t count = static_cast<int32_t>(b.step.values.size());
    return below(3) == 0 ? below(count) : count - 1 - below(std::min(count, 6));
  };
  const auto any_bytes = [&] { return below(12) == 0 ? 0 : 1 + below(int64_t{1} << below(16)); };
  b.external(any_bytes());
  b.value(any_bytes());
  for (int32_t i = 0; i < task_count; ++i) {
    Task task{.scratch_bytes = below(3) == 0 ? any_bytes() : 0, .stage = i * 3 / task_count};
    for (int32_t n = below(4); n > 0; --n) task.inputs.push_back(any_value());
    if (below(6) == 0 && i > 0) task.after.push_back(below(i));
    for (int32_t n = below(3); n >= 0; --n) {
      const bool like_input = !task.inputs.empty() && below(2) == 0;
      const int64_t bytes = like_input ? b.step.values[task.inputs[0]].bytes : any_bytes();
      task.outputs.push_back(below(10) == 0 ? b.external(bytes) : b.value(bytes));
      if (below(8) == 0) task.outputs.push_back(b.view(task.outputs.back()));
    }
    if (below(8) == 0 && !task.inputs.empty()) task.outputs.push_back(b.view(task.inputs[0]));
    for (int32_t n = below(4); n > 0 && !task.inputs.empty(); --n) {
      task.may_overwrite.push_back({below(static_cast<int64_t>(task.inputs.size())),
                                    below(static_cast<int64_t>(task.outputs.size()))});
    }
    b.step.tasks.push_back(std::move(task));
    if (below(4) == 0) b.view(any_value());
    if (below(10) == 0) b.step.kept.push_back(any_value());
  }
  return b.step;
}

}  // namespace plimsoll::plan

#include "plimsoll/ops/recurrent/recurrent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "plimsoll/base/error.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/graph/gradient.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/recurrent/recurrent_op.h"
#include "plimsoll/ops/reduction/reduction.h"
#include "tests/support/messages.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

using namespace kernels;
using testing::check_op;
using testing::OpCase;

Spec float32(const Shape& shape) {
  return {DType::float32, shape};
}

struct Sizes {
  int64_t batch = 3, steps = 4, features = 2, units = 5;
};

// Small enough for what is slow to check.
bool is_small(const Sizes& s) {
  return s.batch * s.steps * s.units < 200;
}

// Dropout factors that are 0 or 1.25, as dropout makes them.
std::vector<double> factors(const Spec& spec) {
  std::vector<double> values;
  for (int64_t i = 0; i < spec.shape.elements(); ++i) values.push_back(i * 7 % 5 < 1 ? 0 : 1.25);
  return values;
}

std::vector<double> mask(const Sizes& s) {
  std::vector<double> values;  // the first sample begins masked, the last is masked throughout
  for (int64_t i = 0; i < s.batch * s.steps; ++i)
    values.push_back(i > 0 && i % 3 != 2 && i < (s.batch - 1) * s.steps);
  return values;
}

struct Inputs {
  Specs specs;
  std::vector<std::vector<double>> values;
  std::vector<std::pair<double, double>> ranges;
  std::vector<int> constants;

  void add(const Spec& spec, double range, std::vector<double> given = {}) {
    specs.push_back(spec);
    ranges.emplace_back(-range, range);
    values.push_back(std::move(given));
  }
};

Inputs inputs_of(const RecurrentForm& form, const Sizes& s) {
  const int64_t columns = form.gates() * s.units;
  Inputs in;
  in.add(float32({s.batch, s.steps, s.features}), 1.5);
  in.add(float32({s.features, columns}), 1);
  in.add(float32({s.units, columns}), 0.7);
  if (form.bias)
    in.add(float32(form.is_gru() && form.reset_after ? Shape{2, columns} : Shape{columns}), 1);
  const Spec state = float32({s.batch, s.units});
  if (form.initial_state) in.add(state, 1);
  if (form.initial_state && form.is_lstm()) in.add(state, 1);
  if (form.mask) in.add({DType::boolean, {s.batch, s.steps}}, 1, mask(s));
  if (form.previous_output) in.add(state, 1);
  const auto add_factors = [&](int sets, int64_t width) {
    if (sets == 0) return;
    const Spec spec = float32({s.batch, sets, width});
    in.constants.push_back(static_cast<int>(in.specs.size()));
    in.add(spec, 1, factors(spec));
  };
  add_factors(form.input_dropouts, s.features);
  add_factors(form.recurrent_dropouts, s.units);
  return in;
}

void check(const std::string& title, const RecurrentForm& form, const Sizes& sizes = {},
           bool check_gradient = true) {
  const Inputs in = inputs_of(form, sizes);
  check_op({.title = title,
            .op = std::make_shared<RecurrentOp>(form),
            .inputs = in.specs,
            .ranges = in.ranges,
            .values = in.values,
            .check_gradient = check_gradient,
            .check_pruned = is_small(sizes),
            .constant_inputs = in.constants,
            .saved_outputs = {kGates, kCells, kHiddens},
            .reduction_length = static_cast<double>(sizes.features + sizes.units),
            .tolerance_scale = 2});
}

void check_gradient_op(const std::string& title, const RecurrentForm& form,
                       const RecurrentFlow& flow, const Sizes& s = {}) {
  RecurrentForm read = form;
  read.bias = read.previous_output = false;
  Inputs in = inputs_of(read, s);
  in.add(float32({s.steps, s.batch, form.columns() * s.units}), 0.9);
  if (form.is_lstm()) in.add(float32({s.steps, s.batch, s.units}), 1);
  if (form.wants_hiddens()) in.add(float32({s.batch, s.steps, s.units}), 1);
  const Spec state = float32({s.batch, s.units});
  if (flow.sequence)
    in.add(form.return_sequences ? float32({s.batch, s.steps, s.units}) : state, 1);
  if (flow.last_hidden) in.add(state, 1);
  if (flow.last_cell) in.add(state, 1);
  check_op({.title = title,
            .op = std::make_shared<RecurrentGradientOp>(form, flow),
            .inputs = in.specs,
            .ranges = in.ranges,
            .values = in.values,
            .check_gradient = false,
            .check_pruned = is_small(s),
            .reduction_length = static_cast<double>(s.batch * s.steps * (s.features + 4 * s.units)),
            .tolerance_scale = 4});
}

struct Cell {
  const char* name;
  RecurrentForm form;
};

const Cell kCells4[] = {
    {"lstm", {.cell = RecurrentCell::lstm}},
    {"gru, reset after", {.cell = RecurrentCell::gru}},
    {"gru, reset before", {.cell = RecurrentCell::gru, .reset_after = false}},
    {"simple", {.cell = RecurrentCell::simple}},
};

// Calls body(title, form) for every cell and every set of options worth a case.
template <class Body>
void for_each_form(const Body& body) {
  for (const auto& [name, plain] : kCells4) {
    const auto with = [&, &name = name, &plain = plain](const char* what, auto&& change) {
      RecurrentForm form = plain;
      change(form);
      body(std::string(name) + ", " + what, form);
    };
    with("plain", [](RecurrentForm&) {});
    with("no bias, backwards, sequences",
         [](RecurrentForm& f) { f.bias = false, f.go_backwards = f.return_sequences = true; });
    with("initial state, sequences",
         [](RecurrentForm& f) { f.initial_state = f.return_sequences = true; });
    with("mask", [](RecurrentForm& f) { f.mask = true; });
    with("mask, sequences", [](RecurrentForm& f) { f.mask = f.return_sequences = true; });
    with("mask, zeros, backwards",
         [](RecurrentForm& f) { f.mask = f.zero_output_for_mask = f.go_backwards = true; });
    with("mask, zeros, sequences",
         [](RecurrentForm& f) { f.mask = f.zero_output_for_mask = f.return_sequences = true; });
    with("mask, initial state, previous output, sequences", [](RecurrentForm& f) {
      f.mask = f.initial_state = f.previous_output = f.return_sequences = true;
    });
    with("mask, previous output", [](RecurrentForm& f) { f.mask = f.previous_output = true; });
    with("dropouts for all gates together", [](RecurrentForm& f) {
      f.input_dropouts = f.recurrent_dropouts = 1, f.initial_state = true;
    });
    with("a dropout a gate, mask", [](RecurrentForm& f) {
      f.input_dropouts = f.recurrent_dropouts = f.gates(), f.mask = true;
    });
    with("other activations", [](RecurrentForm& f) {
      f.activation = CellActivation::linear;
      f.recurrent_activation = CellActivation::hard_sigmoid;
    });
  }
}

TEST(Recurrent, AgreesWithTheReferenceInEveryForm) {
  for_each_form([](const std::string& title, const RecurrentForm& form) { check(title, form); });
}

TEST(RecurrentGradient, AgreesWithTheReferenceInEveryForm) {
  for_each_form([](const std::string& title, const RecurrentForm& form) {
    check_gradient_op(title, form, {.sequence = true});
    check_gradient_op(title + ", of the state too", form,
                      {.sequence = true, .last_hidden = true, .last_cell = form.is_lstm()});
    check_gradient_op(title + ", of the state alone", form, {.last_hidden = true});
  });
}

TEST(Recurrent, TakesRelu) {
  RecurrentForm form = {.activation = CellActivation::relu,
                        .recurrent_activation = CellActivation::sigmoid};
  check("relu", form, {}, false);
  check_gradient_op("relu", form, {.sequence = true});
  form.cell = RecurrentCell::simple;
  check("relu", form, {}, false);
}

TEST(Recurrent, HasNoTroubleWithAnySize) {
  for (const auto& [name, form] : kCells4)
    for (const Sizes sizes :
         {Sizes{1, 1, 1, 1}, Sizes{1, 5, 3, 32}, Sizes{2, 3, 1, 17}, Sizes{0, 3, 2, 4},
          Sizes{2, 0, 2, 4}, Sizes{7, 2, 0, 3}, Sizes{13, 2, 33, 24}}) {
      check(name, form, sizes, is_small(sizes));
      check_gradient_op(name, form, {.sequence = true}, sizes);
    }
}

// Parts of the batch for threads, several blocks and several chunks of steps.
TEST(Recurrent, CutsLargeSequencesRight) {
  for (const auto& [name, plain] : kCells4)
    for (const Sizes sizes : {Sizes{230, 3, 5, 24}, Sizes{20, 45, 3, 16}}) {
      RecurrentForm form = plain;
      check(name, form, sizes, false);
      check_gradient_op(name, form, {.sequence = true}, sizes);
      form.mask = form.return_sequences = true;
      check(name, form, sizes, false);
      check_gradient_op(name, form, {.sequence = true}, sizes);
    }
}

// Where rows are too few for parts, all threads work on each product.
TEST(Recurrent, SharesTheProductsOfFewLargeRows) {
  for (const auto& [name, plain] : kCells4) {
    RecurrentForm form = plain;
    form.mask = form.return_sequences = true;
    form.recurrent_dropouts = form.gates();
    const Sizes sizes = {3, 3, 5, form.is_lstm() ? 290 : form.is_gru() ? 340 : 570};
    check(name, form, sizes, false);
    check_gradient_op(name, form, {.sequence = true}, sizes);
  }
}

struct Sequence {
  Tensor x, kernel, recurrent_kernel;
  RecurrentOptions options;

  Sequence(int64_t gates, const Sizes& s) {
    x = numbers({s.batch, s.steps, s.features}, 1);
    kernel = numbers({s.features, gates * s.units}, 2);
    recurrent_kernel = numbers({s.units, gates * s.units}, 3);
    options.return_sequences = true;
    options.bias = numbers(gates == 3 ? Shape{2, 3 * s.units} : Shape{gates * s.units}, 4);
  }

  static Tensor numbers(const Shape& shape, int seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    std::uniform_real_distribution<float> uniform(-0.6f, 0.6f);
    std::vector<float> values;
    for (int64_t i = 0; i < shape.elements(); ++i) values.push_back(uniform(random));
    return constant(values, shape);
  }
  RecurrentResult run(const Tensor& of_x, const RecurrentOptions& with) const {
    const int64_t gates = kernel.shape()[1] / recurrent_kernel.shape()[0];
    return gates == 4   ? lstm(of_x, kernel, recurrent_kernel, with)
           : gates == 3 ? gru(of_x, kernel, recurrent_kernel, with)
                        : simple_rnn(of_x, kernel, recurrent_kernel, with);
  }
  Tensors gradients_of(const Tensor& y) const {
    const Tensors sources = {x, kernel, recurrent_kernel, options.bias};
    return gradients(sum(square(y)), sources);
  }
};

void expect_near(const Tensor& found, const Tensor& expected, double tolerance) {
  ASSERT_EQ(found.shape(), expected.shape());
  const std::vector<float> a = found.to_vector(), b = expected.to_vector();
  float largest = 0;
  for (const float value : b) largest = std::max(largest, std::abs(value));
  for (size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance * largest);
}

// A sequence that is cut in two, the second part beginning where the first ended, is the whole one:
// outputs, states and gradients.
TEST(Recurrent, ComposesOverRangesOfSteps) {
  const GradientTape tape;  // keeps the history of what is compared
  for (const int64_t gates : {4, 3, 1})
    for (const bool masked : {false, true}) {
      Sequence whole(gates, {3, 7, 2, 5});
      if (masked) whole.options.mask = greater(Sequence::numbers({3, 7}, 5), -0.1);
      const RecurrentResult expected = whole.run(whole.x, whole.options);
      RecurrentOptions part = whole.options;
      if (masked) part.mask = slice(whole.options.mask, {0, 0}, {-1, 3});
      const RecurrentResult first = whole.run(slice(whole.x, {0, 0, 0}, {-1, 3, -1}), part);
      part.initial_state = first.state;
      if (masked) {
        part.mask = slice(whole.options.mask, {0, 3}, {-1, 4});
        part.previous_output = squeeze(slice(first.output, {0, 2, 0}, {-1, 1, -1}), 1);
      }
      const RecurrentResult second = whole.run(slice(whole.x, {0, 3, 0}, {-1, 4, -1}), part);
      const Tensor y = concatenate({first.output, second.output}, 1);
      expect_near(y, expected.output, 1e-6);
      for (size_t i = 0; i < expected.state.size(); ++i)
        expect_near(second.state[i], expected.state[i], 1e-6);
      const Tensors found = whole.gradients_of(y), wanted = whole.gradients_of(expected.output);
      for (size_t i = 0; i < found.size(); ++i) expect_near(found[i], wanted[i], 1e-5);
    }
}

// Without anything saved, a gradient computes the sequence again.
TEST(Recurrent, HasAGradientThoughNothingWasSaved) {
  const GradientTape tape;
  for (const int64_t gates : {4, 3, 1}) {
    Sequence sequence(gates, {3, 4, 2, 5});
    sequence.options.mask = greater(Sequence::numbers({3, 4}, 5), -0.1);
    const Tensor y = sequence.run(sequence.x, sequence.options).output;
    sequence.options.save_for_gradient = false;
    const Tensor light = sequence.run(sequence.x, sequence.options).output;
    for (const int saved : {kGates, kCells, kHiddens})
      EXPECT_EQ(light.value().node->spec(saved).shape, Shape{0});
    const Tensors found = sequence.gradients_of(light), expected = sequence.gradients_of(y);
    expect_near(light, y, 0);
    for (size_t i = 0; i < found.size(); ++i) expect_near(found[i], expected[i], 0);
  }
}

// The number of threads changes the order of sums and nothing else.
TEST(Recurrent, AgreesForAnyNumberOfThreads) {
  const int before = thread_count();
  for (const int64_t gates : {4, 3, 1})
    for (const Sizes sizes : {Sizes{40, 12, 6, 48}, Sizes{2, 2, 6, 600}}) {
      const Sequence sequence(gates, sizes);
      std::vector<Tensors> results;
      for (const int threads : {1, 2, 3}) {
        set_thread_count(threads);
        const Tensor y = sequence.run(sequence.x, sequence.options).output;
        results.push_back(sequence.gradients_of(y));
        results.back().push_back(y);
        evaluate(results.back());
      }
      for (size_t i = 0; i < results[0].size(); ++i) {
        expect_near(results[1][i], results[0][i], 1e-5);
        expect_near(results[2][i], results[0][i], 1e-5);
      }
    }
  set_thread_count(before);
}

TEST(Recurrent, RefusesWhatDoesNotFit) {
  const Sequence s(4, {3, 7, 2, 5});
  const auto message = [&](const auto& change) {
    RecurrentOptions options = s.options;
    change(options);
    return testing::message_of([&] { s.run(s.x, options); });
  };
  EXPECT_NE(message([](RecurrentOptions& o) {
              o.bias = Sequence::numbers({7}, 1);
            }).find("lstm: the bias must be float32 (20,), found float32 (7,)"),
            std::string::npos);
  EXPECT_NE(message([](RecurrentOptions& o) {
              o.mask = Sequence::numbers({3, 7}, 1);
            }).find("the mask must be bool (3, 7), found float32 (3, 7)"),
            std::string::npos);
  EXPECT_NE(message([](RecurrentOptions& o) {
              o.initial_state = {Sequence::numbers({3, 5}, 1)};
            }).find("initial state: expected 2 tensors, found 1"),
            std::string::npos);
  EXPECT_NE(message([](RecurrentOptions& o) {
              o.input_dropout = Sequence::numbers({3, 2, 2}, 1);
            }).find("dropout: expected (batch, 1 or 4, width), found float32 (3, 2, 2)"),
            std::string::npos);
}

}  // namespace
}  // namespace plimsoll

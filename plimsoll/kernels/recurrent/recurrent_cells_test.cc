#include "plimsoll/kernels/recurrent/recurrent_cells.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cmath>
#include <limits>
#include <vector>

#include "plimsoll/kernels/recurrent/recurrent_product.h"

namespace plimsoll::kernels {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// Calls body with each of this program's targets that the processor has.
template <class Body>
void for_each_target(Body&& body) {
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

// activation(x), as a simple cell computes it.
std::vector<float> activated(CellActivation activation, std::vector<float> x) {
  std::vector<float> hidden(x.size());
  simple_rnn_cell({.rows = 1,
                   .units = static_cast<int64_t>(x.size()),
                   .activations = {.activation = activation},
                   .gates = x.data(),
                   .gates_row = static_cast<int64_t>(x.size()),
                   .hidden = hidden.data()});
  return hidden;
}

std::vector<float> range(double low, double high, int count) {
  std::vector<float> x;
  for (int i = 0; i < count; ++i) x.push_back(static_cast<float>(low + (high - low) * i / count));
  return x;
}

void expect_near(CellActivation activation, double (*exact)(double)) {
  for (const auto& [low, high] : {std::pair{-1.0, 1.0}, {-12.0, 12.0}, {-87.0, 87.0}}) {
    const std::vector<float> x = range(low, high, 10007), y = activated(activation, x);
    for (size_t i = 0; i < x.size(); ++i) {
      const double expected = exact(static_cast<double>(x[i]));
      ASSERT_NEAR(y[i], expected, std::abs(expected) * 4e-7) << "at " << x[i];
    }
  }
}

TEST(CellActivations, AreExactToAFewUnitsInTheLastPlace) {
  for_each_target([] {
    expect_near(CellActivation::sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); });
    expect_near(CellActivation::tanh, [](double x) { return std::tanh(x); });
    expect_near(CellActivation::relu, [](double x) { return x > 0 ? x : 0; });
    expect_near(CellActivation::linear, [](double x) { return x; });
  });
}

TEST(CellActivations, TakeAnyNumber) {
  for_each_target([] {
    const std::vector<float> x = {-kInfinity, -3e38f, -100, 0, 100, 3e38f, kInfinity};
    EXPECT_EQ(activated(CellActivation::tanh, x), (std::vector<float>{-1, -1, -1, 0, 1, 1, 1}));
    EXPECT_EQ(activated(CellActivation::hard_sigmoid, x),
              (std::vector<float>{0, 0, 0, 0.5f, 1, 1, 1}));
    const std::vector<float> y = activated(CellActivation::sigmoid, x);
    EXPECT_NEAR(y[0], 0, 1e-37);
    EXPECT_EQ(y[3], 0.5f);
    EXPECT_EQ(y[6], 1);
    for (const CellActivation activation :
         {CellActivation::linear, CellActivation::relu, CellActivation::hard_sigmoid,
          CellActivation::sigmoid, CellActivation::tanh})
      EXPECT_TRUE(std::isnan(activated(activation, {kNaN})[0]));
  });
}

// The state of an LSTM by its formula, for rows of every remainder of a vector.
TEST(LstmCell, FollowsItsFormulaOnEveryTarget) {
  for_each_target([] {
    for (const int64_t units : {1, 7, 8, 19}) {
      const auto n = static_cast<size_t>(units);
      std::vector<float> gates = range(-3, 3, static_cast<int>(4 * units)), cells(n), hidden(n);
      const std::vector<float> sums = gates, before = range(-1, 1, static_cast<int>(units));
      lstm_cell({.rows = 1,
                 .units = units,
                 .gates = gates.data(),
                 .gates_row = 4 * units,
                 .cells_before = before.data(),
                 .cells = cells.data(),
                 .hidden = hidden.data()});
      const auto sigmoid = [](float x) { return 1 / (1 + std::exp(-x)); };
      for (size_t u = 0; u < n; ++u) {
        const float c =
            sigmoid(sums[n + u]) * before[u] + sigmoid(sums[u]) * std::tanh(sums[2 * n + u]);
        ASSERT_NEAR(cells[u], c, 1e-6f);
        ASSERT_NEAR(hidden[u], sigmoid(sums[3 * n + u]) * std::tanh(c), 1e-6f);
      }
    }
  });
}

std::vector<float> scattered(int64_t count) {
  std::vector<float> x;
  for (int64_t i = 0; i < count; ++i)
    x.push_back(static_cast<float>(i * 7919 % 1009) / 1009 - 0.5f);
  return x;
}

// Products with packed weights, for few and many rows, short and long k, whole and cut panels.
TEST(RecurrentProduct, MultipliesOnEveryTarget) {
  for_each_target([] {
    for (const int64_t rows : {1, 2, 3, 5, 100})
      for (const int64_t n : {1, 16, 37, 130})
        for (const int64_t k : {0, 1, 33, 800})
          for (const bool transpose : {false, true}) {
            SCOPED_TRACE(::testing::Message() << rows << " x " << n << " x " << k << transpose);
            const std::vector<float> a = scattered(rows * k + 1);
            const std::vector<float> b = scattered(n * k + 3);
            const std::vector<float> bias = scattered(n);
            std::vector<float> c(static_cast<size_t>(rows * n), 0.5f);
            const int64_t counts[] = {rows};
            const RecurrentProduct product({.m = rows,
                                            .n = n,
                                            .k = k,
                                            .transpose_b = transpose,
                                            .accumulate = true,
                                            .epilogue = Epilogue::bias},
                                           counts, 1);
            std::vector<float> packed(static_cast<size_t>(product.packed_floats()));
            std::vector<std::byte> scratch(static_cast<size_t>(product.scratch_bytes()));
            product.pack(b.data(), packed.data());
            product.run(rows, a.data(), b.data(), packed.data(), c.data(), bias.data(),
                        scratch.data());
            for (int64_t i = 0; i < rows; i += 7)
              for (int64_t j = 0; j < n; ++j) {
                double sum = 0.5 + bias[static_cast<size_t>(j)];
                for (int64_t p = 0; p < k; ++p)
                  sum += static_cast<double>(a[static_cast<size_t>(i * k + p)]) *
                         b[static_cast<size_t>(transpose ? j * k + p : p * n + j)];
                ASSERT_NEAR(c[static_cast<size_t>(i * n + j)], sum, 1e-4);
              }
          }
  });
}

}  // namespace
}  // namespace plimsoll::kernels

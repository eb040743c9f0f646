#include "plimsoll/train/normalise_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "plimsoll/plimsoll.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr int64_t kRows = 64;

Tensor large_numbers() {
  std::vector<float> x;
  for (int64_t i = 0; i < kRows; ++i)
    x.insert(x.end(), {1000 + 300 * std::sin(static_cast<float>(i)), static_cast<float>(i) / 1e4F});
  return constant(x, {kRows, 2});
}

TEST(NormaliseInputs, GivesWeightsNumbersNearOneAndIsSavedWithTheModel) {
  reset_names();
  const Tensor in = Input({.shape = {2}, .name = "numbers"});
  const Model plain({in}, {Dense({.units = 2, .kernel_initializer = "ones"})(in)});
  Model model = normalise_inputs(plain, Dataset(large_numbers(), {}));
  const std::vector<float> y = model.predict(large_numbers()).to_vector();
  double sum = 0, largest = 0;
  for (const float value : y) {
    sum += value;
    largest = std::max(largest, std::abs(double{value}));
  }
  EXPECT_NEAR(sum / kRows, 0, 1e-2);
  EXPECT_LT(largest, 5);
  EXPECT_GT(largest, 1);
  EXPECT_EQ(model.network().inputs()[0].name, "numbers");
  const TemporaryFolder folder;
  model.save(folder.path("model.keras"));
  Model loaded = load_model(folder.path("model.keras")).model;
  EXPECT_EQ(loaded.predict(large_numbers()).to_vector(), y);
}

TEST(NormaliseInputs, RefusesAnEmbedding) {
  reset_names();
  const Tensor in = Input({.shape = {3}, .dtype = DType::int64});
  const Model words({in}, {Embedding({.input_dim = 5, .output_dim = 2})(in)});
  const Tensor numbers = constant(std::vector<int64_t>{0, 1, 2}, {1, 3});
  EXPECT_THAT([&] { normalise_inputs(words, Dataset(numbers, {})); },
              ThrowsMessage<InvalidArgument>(HasSubstr("no input is multiplied by weights")));
}

}  // namespace
}  // namespace plimsoll

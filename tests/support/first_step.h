// What the first step of a small run shows of a model, for the tests of that.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/plimsoll.h"

namespace plimsoll::testing {

using Numbers = std::vector<double>;

// Runs fit over all records in one batch, and returns what its first step showed.
StepStatistics first_step(Model& model, const Tensor& x, const Tensor& y, FitOptions options = {});

// A failure of the test where there is none of that name.
LayerStatistics layer_in(const StepStatistics& step, const std::string& name);
VariableStatistics variable_in(const StepStatistics& step, const std::string& layer,
                               const std::string& name);

// In the order of model.weights().
void set_weights(const Model& model, const std::vector<std::vector<float>>& values);
// A tensor of equal numbers.
Tensor filled(const Shape& shape, float value);

double norm_of(const Numbers& numbers);
// Up to what rounding to float explains.
void expect_close(double found, double expected);
// Mean, deviation, range and zeros are those of the numbers, and dead units those of rows of so
// many units.
void expect_numbers(const LayerStatistics& found, const Numbers& expected, size_t units);

}  // namespace plimsoll::testing

#include "plimsoll/train/callbacks/weight_growth.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace plimsoll {
namespace {

constexpr float kDoubtfulGrowth = 10;

// Without regard to signs; infinite if one of them is not finite.
float largest_number(const Variable& weight) {
  if (weight.spec().dtype != DType::float32) return 0;
  const auto* numbers = reinterpret_cast<const float*>(weight.data());
  float largest = 0;
  for (int64_t i = 0; i < weight.spec().shape.elements(); ++i) {
    if (!std::isfinite(numbers[i])) return std::numeric_limits<float>::infinity();
    largest = std::max(largest, std::abs(numbers[i]));
  }
  return largest;
}

std::vector<float> largest_numbers(const Model& model) {
  std::vector<float> all;
  for (const Variable& weight : model.network().trainable_variables())
    all.push_back(largest_number(weight));
  return all;
}

}  // namespace

void WeightGrowth::look(const Model& model) {
  std::vector<float> now = largest_numbers(model);
  before_ = last_.empty() ? now : std::move(last_);
  last_ = std::move(now);
}

bool WeightGrowth::is_doubtful(const Model& model) const {
  const std::vector<float> now = largest_numbers(model);
  for (size_t i = 0; i < now.size(); ++i) {
    const float before = i < before_.size() ? before_[i] : 0;
    if (!std::isfinite(now[i]) || now[i] > kDoubtfulGrowth * std::max(before, 1.0f)) return true;
  }
  return false;
}

void WeightGrowth::save_state(StateWriter& to) const {
  to.reals("before", std::vector<double>(before_.begin(), before_.end()));
  to.reals("last", std::vector<double>(last_.begin(), last_.end()));
}

void WeightGrowth::load_state(const StateReader& from) {
  const auto floats = [&](const char* name) {
    std::vector<float> numbers;
    for (const double number : from.reals(name)) numbers.push_back(static_cast<float>(number));
    return numbers;
  };
  before_ = floats("before");
  last_ = floats("last");
}

}  // namespace plimsoll

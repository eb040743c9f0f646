#include "plimsoll/data/encode/number_statistics.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

void NumberStatistics::add(double number) {
  if (count_ % stride_ == 0) {
    if (sample_.size() == room_) {
      // Every other one stays.
      for (size_t i = 0; 2 * i < sample_.size(); ++i) sample_[i] = sample_[2 * i];
      sample_.resize((sample_.size() + 1) / 2);
      stride_ *= 2;
    }
    if (count_ % stride_ == 0) sample_.push_back(number);
  }
  ++count_;
  const double difference = number - mean_;
  mean_ += difference / static_cast<double>(count_);
  squares_ += difference * (number - mean_);
}

double NumberStatistics::deviation() const {
  const double deviation = std::sqrt(squares_ / static_cast<double>(std::max<int64_t>(count_, 1)));
  return std::isfinite(deviation) && deviation > 0 ? deviation : 1;
}

double NumberStatistics::median() const {
  std::vector<double> numbers = sample_;
  const auto middle = numbers.begin() + std::ssize(numbers) / 2;
  std::nth_element(numbers.begin(), middle, numbers.end());
  if (numbers.size() % 2 == 1) return *middle;
  return (*std::max_element(numbers.begin(), middle) + *middle) / 2;
}

}  // namespace plimsoll

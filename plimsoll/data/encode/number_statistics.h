// Mean, deviation and median of numbers that come one after the other, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace plimsoll {

class NumberStatistics {
 public:
  // The median is that of up to `room` numbers, taken at even distances.
  explicit NumberStatistics(size_t room) : room_(room < 2 ? 2 : room) {}

  void add(double number);
  int64_t count() const { return count_; }
  double mean() const { return mean_; }
  // Of all of them, as NumPy's std; 1 if they are all the same, so that one can divide by it.
  double deviation() const;
  // As NumPy: between the two in the middle. There must be a number.
  double median() const;

 private:
  size_t room_;
  int64_t count_ = 0, stride_ = 1;
  double mean_ = 0, squares_ = 0;
  std::vector<double> sample_;
};

}  // namespace plimsoll

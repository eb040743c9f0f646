// What is counted over the numbers of one field of records: an input, or the targets of an output.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "plimsoll/guards/doctor/case.h"
#include "plimsoll/guards/doctor/fields_to_look_at.h"
#include "plimsoll/tensor/dtype.h"
#include "plimsoll/tensor/spec.h"

namespace plimsoll {

// Sums over numbers that come one after the other.
struct Moments {
  int64_t count = 0;
  double sum = 0, squares = 0, least = 0, largest = 0;

  void add(double value) {
    least = count == 0 ? value : std::min(least, value);
    largest = count == 0 ? value : std::max(largest, value);
    ++count;
    sum += value;
    squares += value * value;
  }
  double mean() const { return count == 0 ? 0 : sum / static_cast<double>(count); }
  double deviation() const {
    if (count == 0) return 0;
    return std::sqrt(std::max(0.0, squares / static_cast<double>(count) - mean() * mean()));
  }
};

// Calls `use(element, value)` for each number of a field.
template <class Use>
void for_each_number(const Spec& spec, const std::byte* data, const Use& use) {
  visit_dtype(spec.dtype, [&]<class T>(T) {
    const T* values = reinterpret_cast<const T*>(data);
    const int64_t count = spec.shape.elements();
    for (int64_t i = 0; i < count; ++i) use(i, static_cast<double>(values[i]));
  });
}

class InputSurvey {
 public:
  InputSurvey(const Spec& spec, const FieldsToLookAt::Input& input);

  void add(const std::byte* data);

  InputFacts facts() const;

 private:
  Spec spec_;
  FieldsToLookAt::Input input_;
  Moments all_;
  std::vector<Moments> columns_;
};

class TargetSurvey {
 public:
  explicit TargetSurvey(const Spec& spec);

  void add(const std::byte* data);

  TargetFacts facts() const;

 private:
  double distance_from_median() const;

  void add_classes(TargetFacts& facts) const;

  Spec spec_;
  Moments all_;
  std::vector<Moments> columns_;
  double own_entropy_ = 0;
  bool is_whole_ = true, is_one_hot_ = true;
  std::vector<double> values_;  // the label of each record, in their order
  std::map<double, int64_t> counts_;
};

}  // namespace plimsoll

#include "plimsoll/guards/doctor/field_survey.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostColumns = 1 << 20;  // whose deviations are kept
constexpr size_t kMostClasses = 1000;

double entropy_of_share(double share) {
  if (share <= 0 || share >= 1) return 0;
  return -share * std::log(share) - (1 - share) * std::log(1 - share);
}

}  // namespace

InputSurvey::InputSurvey(const Spec& spec, const FieldsToLookAt::Input& input)
    : spec_(spec), input_(input) {
  if (spec.shape.elements() <= kMostColumns)
    columns_.resize(static_cast<size_t>(spec.shape.elements()));
}

void InputSurvey::add(const std::byte* data) {
  for_each_number(spec_, data, [&](int64_t element, double value) {
    if (!std::isfinite(value)) return;
    const double met = value * input_.scale + input_.offset;
    all_.add(met);
    if (!columns_.empty()) columns_[static_cast<size_t>(element)].add(met);
  });
}

InputFacts InputSurvey::facts() const {
  InputFacts facts{.name = input_.name, .meets_weights = input_.meets_weights};
  facts.mean = all_.mean();
  facts.deviation = all_.deviation();
  facts.least = all_.least;
  facts.largest = all_.largest;
  facts.columns = spec_.shape.elements();
  std::vector<double> deviations;
  for (const Moments& column : columns_)
    if (column.least == column.largest)
      ++facts.constant_columns;
    else
      deviations.push_back(column.deviation());
  if (deviations.empty()) return facts;
  std::ranges::sort(deviations);
  const double median = deviations[deviations.size() / 2];
  if (median > 0) facts.column_ratio = deviations.back() / median;
  return facts;
}

TargetSurvey::TargetSurvey(const Spec& spec) : spec_(spec) {
  if (spec.shape.elements() <= kMostColumns)
    columns_.resize(static_cast<size_t>(spec.shape.elements()));
}

void TargetSurvey::add(const std::byte* data) {
  double sum = 0, largest = 0;
  int64_t at = 0;
  bool is_row = true;
  for_each_number(spec_, data, [&](int64_t element, double value) {
    all_.add(value);
    own_entropy_ += entropy_of_share(value);
    if (!columns_.empty()) columns_[static_cast<size_t>(element)].add(value);
    is_whole_ = is_whole_ && value == std::trunc(value);
    sum += value;
    is_row = is_row && (value == 0 || value == 1);
    if (value > largest) largest = value, at = element;
  });
  is_one_hot_ = is_one_hot_ && is_row && sum == 1;
  const int64_t width = spec_.shape.elements();
  const double label = width == 1 ? all_.count > 0 ? sum : 0 : static_cast<double>(at);
  values_.push_back(label);
  if (counts_.size() <= kMostClasses) ++counts_[label];
}

TargetFacts TargetSurvey::facts() const {
  TargetFacts facts{.width = spec_.shape.elements(), .is_whole = is_whole_};
  facts.is_one_hot = facts.width > 1 && is_one_hot_ && !values_.empty();
  facts.mean = all_.mean();
  facts.deviation = all_.deviation();
  facts.least = all_.least;
  facts.largest = all_.largest;
  if (facts.width == 1) facts.absolute_deviation = distance_from_median();
  if (all_.count > 0) facts.own_entropy = own_entropy_ / static_cast<double>(all_.count);
  for (const Moments& column : columns_) {
    const auto width = static_cast<double>(columns_.size());
    facts.column_variance += column.deviation() * column.deviation() / width;
    facts.column_entropy += entropy_of_share(column.mean()) / width;
  }
  if (facts.is_one_hot || (facts.width == 1 && is_whole_ && counts_.size() <= kMostClasses))
    add_classes(facts);
  return facts;
}

double TargetSurvey::distance_from_median() const {
  if (values_.empty()) return 0;
  std::vector<double> sorted = values_;
  std::ranges::sort(sorted);
  const double median = sorted[sorted.size() / 2];
  double sum = 0;
  for (const double value : sorted) sum += std::abs(value - median);
  return sum / static_cast<double>(sorted.size());
}

void TargetSurvey::add_classes(TargetFacts& facts) const {
  double next = 0, same = 0;
  const auto count = static_cast<double>(values_.size());
  for (const auto& [label, records] : counts_) {
    facts.has_gaps = facts.has_gaps || (!facts.is_one_hot && label != next);
    facts.class_counts.push_back(records);
    const double share = static_cast<double>(records) / count;
    same += share * share;
    ++next;
  }
  double changes = 0;
  for (size_t i = 1; i < values_.size(); ++i) changes += values_[i] != values_[i - 1] ? 1 : 0;
  const double expected = (count - 1) * (1 - same);
  if (expected > 0) facts.mixing = changes / expected;
}

}  // namespace plimsoll

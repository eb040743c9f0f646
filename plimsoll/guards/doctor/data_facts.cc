#include "plimsoll/guards/doctor/data_facts.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "plimsoll/base/error.h"
#include "plimsoll/base/flaw.h"
#include "plimsoll/tensor/dtype.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostRecords = 4000, kMostBytes = int64_t{256} << 20, kLeastRecords = 32;
constexpr int64_t kMostColumns = 1 << 20;  // whose deviations are kept
constexpr size_t kMostClasses = 1000;

double root(double squares) {
  return std::sqrt(std::max(0.0, squares));
}

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
    return count == 0 ? 0 : root(squares / static_cast<double>(count) - mean() * mean());
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
  InputSurvey(const Spec& spec, const FieldsToLookAt::Input& input) : spec_(spec), input_(input) {
    if (spec.shape.elements() <= kMostColumns)
      columns_.resize(static_cast<size_t>(spec.shape.elements()));
  }

  void add(const std::byte* data) {
    for_each_number(spec_, data, [&](int64_t element, double value) {
      if (!std::isfinite(value)) return;
      const double met = value * input_.scale + input_.offset;
      all_.add(met);
      if (!columns_.empty()) columns_[static_cast<size_t>(element)].add(met);
    });
  }

  InputFacts facts() const {
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

 private:
  Spec spec_;
  FieldsToLookAt::Input input_;
  Moments all_;
  std::vector<Moments> columns_;
};

class TargetSurvey {
 public:
  explicit TargetSurvey(const Spec& spec) : spec_(spec) {}

  void add(const std::byte* data) {
    double sum = 0, largest = 0;
    int64_t at = 0;
    bool is_row = true;
    for_each_number(spec_, data, [&](int64_t element, double value) {
      all_.add(value);
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

  TargetFacts facts() const {
    TargetFacts facts{.width = spec_.shape.elements(), .is_whole = is_whole_};
    facts.is_one_hot = facts.width > 1 && is_one_hot_ && !values_.empty();
    facts.mean = all_.mean();
    facts.deviation = all_.deviation();
    facts.least = all_.least;
    facts.largest = all_.largest;
    if (facts.width == 1) facts.absolute_deviation = distance_from_median();
    if (facts.is_one_hot || (facts.width == 1 && is_whole_ && counts_.size() <= kMostClasses))
      add_classes(facts);
    return facts;
  }

 private:
  double distance_from_median() const {
    if (values_.empty()) return 0;
    std::vector<double> sorted = values_;
    std::ranges::sort(sorted);
    const double median = sorted[sorted.size() / 2];
    double sum = 0;
    for (const double value : sorted) sum += std::abs(value - median);
    return sum / static_cast<double>(sorted.size());
  }

  void add_classes(TargetFacts& facts) const {
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

  Spec spec_;
  Moments all_;
  bool is_whole_ = true, is_one_hot_ = true;
  std::vector<double> values_;  // the label of each record, in their order
  std::map<double, int64_t> counts_;
};

bool has_numbers(const Spec& spec) {
  return spec.dtype != DType::string;
}

int64_t records_to_read(const Source& source) {
  int64_t bytes = 1;
  for (const Spec& spec : source.fields()) bytes += spec.bytes();
  return std::min(source.size(), std::clamp(kMostBytes / bytes, kLeastRecords, kMostRecords));
}

}  // namespace

DataFacts data_facts(const Source& source, const FieldsToLookAt& fields) {
  DataFacts facts{.records = source.size()};
  const Specs& specs = source.fields();
  std::vector<std::vector<std::byte>> buffers;
  std::vector<std::byte*> into;
  for (const Spec& spec : specs)
    into.push_back(buffers.emplace_back(static_cast<size_t>(spec.bytes())).data());
  std::vector<InputSurvey> inputs;
  for (const FieldsToLookAt::Input& input : fields.inputs)
    inputs.emplace_back(specs[static_cast<size_t>(input.field)], input);
  std::vector<TargetSurvey> targets;
  for (const int field : fields.targets)
    targets.emplace_back(field < 0 ? Spec{DType::float32, {0}} : specs[static_cast<size_t>(field)]);

  const int64_t count = records_to_read(source);
  for (int64_t i = 0; i < count; ++i) {
    try {
      source.read(i * source.size() / count, into);
    } catch (const Error& error) {
      if (facts.bad_records++ == 0) {
        facts.first_bad = error.what();
        facts.first_bad_reason = std::string(to_string(flaw_of(error)));
      }
      continue;
    }
    ++facts.looked_at;
    for (size_t k = 0; k < inputs.size(); ++k)
      if (const int field = fields.inputs[k].field; has_numbers(specs[static_cast<size_t>(field)]))
        inputs[k].add(into[static_cast<size_t>(field)]);
    for (size_t k = 0; k < targets.size(); ++k)
      if (const int field = fields.targets[k];
          field >= 0 && has_numbers(specs[static_cast<size_t>(field)]))
        targets[k].add(into[static_cast<size_t>(field)]);
  }
  for (const InputSurvey& input : inputs) facts.inputs.push_back(input.facts());
  for (const TargetSurvey& target : targets) facts.targets.push_back(target.facts());
  return facts;
}

}  // namespace plimsoll

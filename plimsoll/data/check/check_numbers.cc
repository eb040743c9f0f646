#include "plimsoll/data/check/check_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "plimsoll/data/check/numbers_in_range.h"
#include "plimsoll/data/element_place.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostColumns = 1 << 16;

bool has_columns(const Spec& spec) {
  return !holds_text(spec) && spec.shape.rank() == 1 && spec.shape[0] <= kMostColumns;
}

std::string text_of(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "infinite" : "-infinite";
  char text[32];
  std::snprintf(text, sizeof text, "%.7g", number);
  return text;
}

Problem out_of_range(const FieldToCheck& field, const std::string& place, double value) {
  const bool is_label = field.role == FieldRole::target;
  return {is_label ? Flaw::label : Flaw::out_of_range,
          fmt::format("{} is {}, expected a whole number from 0 to {}", place, text_of(value),
                      field.limit - 1)};
}

class NumberCheck final : public RecordCheck {
 public:
  explicit NumberCheck(const RecordsInCheck& records)
      : numbers_(records.source.fields(), records.fields) {}

  std::optional<Problem> look_at(const RecordView& record) override { return numbers_.add(record); }
  void merge(const RecordCheck& later) override {
    numbers_.merge(static_cast<const NumberCheck&>(later).numbers_);
  }
  void report(const RecordName&, CheckReport& report) override {
    report.fields = numbers_.summaries();
    warn_of_columns(report.fields, report.warnings);
  }

 private:
  FieldStatistics numbers_;
};

}  // namespace

std::unique_ptr<RecordCheck> check_numbers(const RecordsInCheck& records) {
  return std::make_unique<NumberCheck>(records);
}

std::string place_of(const FieldToCheck& field, const Spec& spec, size_t element) {
  if (element < field.columns.size() && spec.shape.elements() == std::ssize(field.columns))
    return "column '" + field.columns[element] + "'";
  return element_place(field.name, spec, static_cast<int64_t>(element));
}

FieldStatistics::FieldStatistics(const Specs& specs, std::span<const FieldToCheck> fields)
    : specs_(specs), fields_(fields) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const Spec& spec : specs) {
    const int64_t columns = has_columns(spec) ? spec.shape[0] : 1;
    numbers_.push_back(
        {.columns = std::vector<Column>(static_cast<size_t>(columns), {kInfinity, -kInfinity})});
  }
}

std::optional<Problem> FieldStatistics::add(const RecordView& record) {
  std::optional<Problem> first;
  for (size_t field = 0; field < specs_.size(); ++field) {
    std::optional<Problem> problem = add_field(record, field);
    if (!first) first = std::move(problem);
  }
  return first;
}

std::optional<Problem> FieldStatistics::add_field(const RecordView& record, size_t field) {
  if (holds_text(specs_[field])) return std::nullopt;  // there are no numbers in it
  Field& all = numbers_[field];
  const FieldToCheck& expected = fields_[field];
  const bool has_many = all.columns.size() > 1;
  return record.visit(field, [&]<class T>(std::span<const T> numbers) -> std::optional<Problem> {
    size_t bad = numbers.size();
    for (size_t i = 0; i < numbers.size(); ++i) {
      const auto value = static_cast<double>(numbers[i]);
      if (!std::isfinite(value)) {
        bad = std::min(bad, i);
        continue;
      }
      Column& column = all.columns[has_many ? i : 0];
      column.least = std::min(column.least, value);
      column.largest = std::max(column.largest, value);
      ++column.values;
      all.sum += value;
      all.squares += value * value;
    }
    const auto place = [&](size_t i) { return place_of(expected, specs_[field], i); };
    if (bad < numbers.size())
      return Problem{Flaw::not_finite,
                     place(bad) + " is " + text_of(static_cast<double>(numbers[bad]))};
    if (expected.limit == 0) return std::nullopt;
    const WholeNumbers whole{expected.limit, expected.ignored};
    const int64_t wrong = whole.first_other(numbers);
    if (wrong < 0) return std::nullopt;
    const auto element = static_cast<size_t>(wrong);
    return out_of_range(expected, place(element), static_cast<double>(numbers[element]));
  });
}

void FieldStatistics::merge(const FieldStatistics& later) {
  for (size_t field = 0; field < numbers_.size(); ++field) {
    Field& all = numbers_[field];
    const Field& more = later.numbers_[field];
    all.sum += more.sum;
    all.squares += more.squares;
    for (size_t i = 0; i < all.columns.size(); ++i) {
      all.columns[i].least = std::min(all.columns[i].least, more.columns[i].least);
      all.columns[i].largest = std::max(all.columns[i].largest, more.columns[i].largest);
      all.columns[i].values += more.columns[i].values;
    }
  }
}

FieldSummary FieldStatistics::summary_of(size_t field) const {
  const Field& numbers = numbers_[field];
  FieldSummary summary{
      .name = fields_[field].name, .role = fields_[field].role, .spec = specs_[field]};
  for (const Column& column : numbers.columns) {
    if (column.values == 0) continue;
    const bool is_first = summary.values == 0;
    summary.least = is_first ? column.least : std::min(summary.least, column.least);
    summary.largest = is_first ? column.largest : std::max(summary.largest, column.largest);
    summary.values += column.values;
  }
  const auto count = static_cast<double>(std::max<int64_t>(summary.values, 1));
  summary.mean = numbers.sum / count;
  const double variance = numbers.squares / count - summary.mean * summary.mean;
  summary.deviation = std::sqrt(std::max(0.0, variance));
  return summary;
}

std::vector<FieldSummary> FieldStatistics::summaries() const {
  std::vector<FieldSummary> summaries;
  for (size_t field = 0; field < numbers_.size(); ++field) {
    FieldSummary summary = summary_of(field);
    const auto& columns = numbers_[field].columns;
    const auto& names = fields_[field].columns;
    for (size_t i = 0; has_columns(specs_[field]) && i < columns.size(); ++i) {
      const bool is_empty = columns[i].values == 0;
      summary.columns.push_back({.name = i < names.size() ? names[i] : std::to_string(i),
                                 .least = is_empty ? 0 : columns[i].least,
                                 .largest = is_empty ? 0 : columns[i].largest,
                                 .values = columns[i].values});
    }
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

void warn_of_columns(std::span<const FieldSummary> fields, std::vector<CheckWarning>& warnings) {
  constexpr size_t kNamed = 20;
  CheckWarning constant{
      .reason = "constant_column",
      .count = 0,
      .what = "columns that hold the same number in every record",
      .remedy = "a model learns nothing from them: --ignore leaves them out of a table"};
  CheckWarning missing{.reason = "missing_column",
                       .count = 0,
                       .what = "columns without a number in any record",
                       .remedy = "--ignore leaves them out of a table"};
  for (const FieldSummary& field : fields) {
    if (field.role != FieldRole::input) continue;
    for (const ColumnSummary& column : field.columns) {
      const bool is_constant = column.values > 1 && column.least == column.largest;
      if (column.values > 0 && !is_constant) continue;
      CheckWarning& warning = is_constant ? constant : missing;
      ++warning.count;
      if (warning.examples.size() < kNamed)
        warning.examples.push_back(field.name + "." + column.name);
    }
  }
  for (CheckWarning* warning : {&missing, &constant})
    if (warning->count > 0) warnings.push_back(std::move(*warning));
}

}  // namespace plimsoll

#include "plimsoll/data/check/check_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

// The place of the only 1 among 0s, or -1.
template <class T>
int64_t place_of_one(std::span<const T> vector) {
  const auto ones = std::ranges::count(vector, T{1});
  const auto zeros = std::ranges::count(vector, T{0});
  if (ones != 1 || zeros + 1 != std::ssize(vector)) return -1;
  return std::ranges::find(vector, T{1}) - vector.begin();
}

// The class of a label; none if it is another kind of target.
template <class T>
std::optional<int64_t> class_of(std::span<const T> label) {
  constexpr double kMost = 1e9;
  if (label.size() > 1) {
    const int64_t place = place_of_one(label);
    return place < 0 ? std::nullopt : std::optional(place);
  }
  const auto number = label.empty() ? 0.5 : static_cast<double>(label[0]);
  if (number != std::trunc(number) || std::abs(number) > kMost) return std::nullopt;
  return static_cast<int64_t>(number);
}

class LabelCheck final : public RecordCheck {
 public:
  explicit LabelCheck(const RecordsInCheck& records) : records_(records) {}

  std::optional<Problem> look_at(const RecordView& record) override {
    if (has_target()) labels_.add(record, records_.target);
    return std::nullopt;
  }
  void merge(const RecordCheck& later) override {
    labels_.merge(static_cast<const LabelCheck&>(later).labels_);
  }
  void report(const RecordName&, CheckReport& report) override {
    if (has_target() && labels_.are_classes(records_.fields[records_.target]))
      report.classes =
          labels_.counts(records_.fields[records_.target], records_.source.class_names());
    warn_of_classes(report.classes, report.warnings);
  }

 private:
  bool has_target() const { return records_.target < records_.fields.size(); }

  const RecordsInCheck& records_;
  LabelCounts labels_;
};

}  // namespace

std::unique_ptr<RecordCheck> check_labels(const RecordsInCheck& records) {
  return std::make_unique<LabelCheck>(records);
}

void LabelCounts::add(const RecordView& record, size_t field) {
  if (!are_whole_) return;
  const std::optional<int64_t> label =
      record.visit(field, [](auto numbers) { return class_of(numbers); });
  if (label) ++records_of_[*label];
  if (!label || records_of_.size() > kMostClasses) are_whole_ = false;
}

void LabelCounts::merge(const LabelCounts& later) {
  are_whole_ = are_whole_ && later.are_whole_;
  for (const auto& [label, records] : later.records_of_) records_of_[label] += records;
  if (records_of_.size() > kMostClasses) are_whole_ = false;
  if (!are_whole_) records_of_.clear();
}

bool LabelCounts::are_classes(const FieldToCheck& field) const {
  constexpr int64_t kMostGuessed = 100, kRecordsOfEach = 10;
  if (!are_whole_ || records_of_.empty() || records_of_.begin()->first < 0) return false;
  if (field.is_classes) return *field.is_classes;
  int64_t records = 0;
  for (const auto& [label, count] : records_of_) records += count;
  const auto classes = static_cast<int64_t>(records_of_.size());
  return classes <= kMostGuessed && records >= kRecordsOfEach * classes;
}

std::vector<ClassCount> LabelCounts::counts(const FieldToCheck& field,
                                            std::span<const std::string> names) const {
  const auto known = std::max(std::ssize(names), static_cast<std::ptrdiff_t>(field.limit));
  std::map<int64_t, int64_t> all = records_of_;
  for (int64_t label = 0; label < std::min<int64_t>(known, kMostClasses); ++label)
    all.try_emplace(label, 0);
  std::vector<ClassCount> counts;
  for (const auto& [label, records] : all)
    counts.push_back({label >= 0 && label < std::ssize(names) ? names[static_cast<size_t>(label)]
                                                              : std::to_string(label),
                      records});
  return counts;
}

void warn_of_classes(std::span<const ClassCount> classes, std::vector<CheckWarning>& warnings) {
  constexpr int64_t kMostTimes = 10;
  constexpr size_t kNamed = 20;
  CheckWarning empty{.reason = "empty_class",
                     .count = 0,
                     .what = "classes without a record",
                     .remedy = "add records of them, or leave the classes out"};
  std::vector<ClassCount> used;
  for (const ClassCount& one : classes) {
    if (one.records > 0) {
      used.push_back(one);
      continue;
    }
    ++empty.count;
    if (empty.examples.size() < kNamed) empty.examples.push_back(one.name);
  }
  if (empty.count > 0) warnings.push_back(std::move(empty));
  if (used.empty()) return;
  const auto [least, most] = std::ranges::minmax_element(used, {}, &ClassCount::records);
  if (most->records <= kMostTimes * least->records) return;
  warnings.push_back({.reason = "imbalance",
                      .what = fmt::format("class '{}' has {} records, class '{}' has {}",
                                          most->name, most->records, least->name, least->records),
                      .remedy = "add records of the rare classes, or let them count more with "
                                "--class-weight balanced",
                      .examples = {least->name}});
}

}  // namespace plimsoll
